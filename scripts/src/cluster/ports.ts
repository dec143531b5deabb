import { createServer } from 'node:net';

// Below the kernel's ephemeral range, so that outgoing connections never take one of ours.
const FIRST_PORT = 20_000;
const LAST_PORT = 29_999;

const given = new Set<number>();
let next = FIRST_PORT + ((process.pid * 37) % (LAST_PORT - FIRST_PORT));

/**
 * `count` ports of 127.0.0.1 that nobody listens on now and that this process has not handed out
 * before. Another process may still take one before it is used: whoever binds must retry with
 * fresh ones (see `startCluster`).
 */
export async function allocatePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  for (let tries = 0; ports.length < count; tries += 1) {
    if (tries > LAST_PORT - FIRST_PORT) throw new Error('no free port between 20000 and 29999');
    next = next >= LAST_PORT ? FIRST_PORT : next + 1;
    if (given.has(next) || !(await isFree(next))) continue;
    given.add(next);
    ports.push(next);
  }
  return ports;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
