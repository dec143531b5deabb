import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, it } from 'vitest';
import type { Entry, LogIndex, LogWrite, NodeId, Term } from '@raftd/raft';
import type { LoadedStore } from '@raftd/storage';
import { openLevelStorage } from '@raftd/storage';

const root = mkdtempSync(join(tmpdir(), 'raftd-kill-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/**
 * Appends the writes of a file from a given one on, and prints the number of each once it is
 * acknowledged. It runs the built package, in a process of its own, until it is killed.
 */
const APPENDER = `
import { readFileSync, writeSync } from 'node:fs';
import { openLevelStorage } from '@raftd/storage';
const [directory, file, first] = process.argv.slice(1);
const writes = JSON.parse(readFileSync(file, 'utf8'), (key, value) =>
  key === 'payload' ? Buffer.from(value) : value);
const { store } = await openLevelStorage({ directory, nodeId: 'n1', incarnation: () => 'i' });
const next = (step) => {
  if (step === writes.length) return;
  store.append(writes[step], (error) => {
    if (error !== undefined) throw error;
    writeSync(1, step + '\\n');
    next(step + 1);
  });
};
next(Number(first));
`;

const KILLS = 8;
/** More than all kills together get to see. */
const STEPS = 1800;

it('kill -9 in the middle of its writes never costs a store what it had acknowledged', async () => {
  const writes = makeWrites();
  const directory = join(root, 'data');
  const file = join(root, 'writes.json');
  writeFileSync(file, JSON.stringify(writes, payloadAsText));
  let done = 0;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const acknowledged = await appendAndKill(directory, file, done, 20 + 37 * kill);
    expect(acknowledged).toBeGreaterThan(done);
    const loaded = await load(directory);
    // The promise counts the writes: all that was acknowledged, at most the one in flight more.
    const landed = loaded.hardState.promiseMs;
    expect(landed).toBeGreaterThanOrEqual(acknowledged);
    expect(landed).toBeLessThanOrEqual(acknowledged + 1);
    expect(loaded.hardState).toEqual(writes[landed - 1]?.hardState);
    expect(loaded.entries.map(describeEntry)).toEqual(logAfter(writes.slice(0, landed)));
    done = landed;
  }
});

/** Runs the appender from write `first` on; after `count` acknowledgements kills it. */
function appendAndKill(
  directory: string,
  file: string,
  first: number,
  count: number,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const argv = ['--input-type=module', '-e', APPENDER, directory, file, String(first)];
    const child = spawn(process.execPath, argv, {
      cwd: join(import.meta.dirname, '..'),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let acknowledged = first;
    createInterface({ input: child.stdout }).on('line', (line) => {
      acknowledged = Number(line) + 1;
      if (acknowledged === first + count) child.kill('SIGKILL');
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve(acknowledged);
      else reject(new Error(`the appender ended by itself, code ${code}`));
    });
  });
}

async function load(directory: string): Promise<LoadedStore> {
  const nodeId = 'n1' as NodeId;
  const { store, loaded } = await openLevelStorage({ directory, nodeId, incarnation: () => 'i' });
  await new Promise<void>((resolve) => store.close(resolve));
  return loaded;
}

/** Every seventh write starts a term and replaces the last entries; the others add some. */
function makeWrites(): readonly LogWrite[] {
  const writes: LogWrite[] = [];
  let last = 0;
  for (let step = 0; step < STEPS; step += 1) {
    const term = 1 + Math.floor(step / 7);
    const isNewTerm = step % 7 === 0;
    const from = isNewTerm ? Math.max(1, last - 8) : last + 1;
    const entries: Entry[] = [];
    for (let at = 0; at <= step % 5; at += 1) entries.push(makeEntry(from + at, term));
    last = from + entries.length - 1;
    writes.push({
      hardState: { term: term as Term, votedFor: 'n1' as NodeId, promiseMs: step + 1 },
      truncateFrom: isNewTerm ? (from as LogIndex) : undefined,
      entries,
      lastIndex: last as LogIndex,
      lastTerm: term as Term,
    });
  }
  return writes;
}

function logAfter(writes: readonly LogWrite[]): readonly string[] {
  const log: string[] = [];
  for (const { truncateFrom, entries } of writes) {
    if (truncateFrom !== undefined) log.length = truncateFrom - 1;
    log.push(...entries.map(describeEntry));
  }
  return log;
}

function makeEntry(index: number, term: number): Entry {
  const payload = new Uint8Array(Buffer.from(`${index} of ${term} `.repeat(1 + (index % 30))));
  return {
    index: index as LogIndex,
    term: term as Term,
    kind: 'command',
    clusterTimeMs: index,
    payload,
  };
}

function payloadAsText(key: string, value: unknown): unknown {
  return key === 'payload' ? Buffer.from(value as Uint8Array).toString() : value;
}

function describeEntry(entry: Entry): string {
  return `${entry.index}/${entry.term} ${Buffer.from(entry.payload).toString()}`;
}
