import type { ClientPorts, Dial, Logger } from '@raftd/client';
import { RandomStream } from '../world/random.js';

/** One life of a client's process, as its ports see it. */
export interface Inside {
  readonly monotonicMs: () => number;
  readonly wallMs: () => number;
  /** Both run inside the life they were called in, or never. */
  after(delayMs: number, callback: () => void): () => void;
  defer(callback: () => void): void;
  readonly dial: Dial;
}

const ignore = (): void => undefined;
const SILENT: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** What the real client is given: everything of the world, keyed by client and life. */
export function clientPorts(inside: Inside, seed: number, life: string): ClientPorts {
  const jitter = new RandomStream(seed, `client/${life}/jitter`);
  const ids = new RandomStream(seed, `client/${life}/ids`);
  let count = 0;
  return {
    clock: { monotonicMs: inside.monotonicMs, wallMs: inside.wallMs },
    timers: {
      after: (delayMs, callback) => inside.after(delayMs, callback),
      defer: (callback) => inside.defer(callback),
    },
    random: () => jitter.next(),
    // In no order, as real ones are, unique beyond all chance, and they say whose they are.
    randomId: () => {
      count += 1;
      return `${word(ids)}-${life}-${count}`;
    },
    dial: inside.dial,
    log: SILENT,
  };
}

function word(stream: RandomStream): string {
  return Math.floor(stream.next() * 0x1_0000_0000)
    .toString(16)
    .padStart(8, '0');
}
