import { Level } from 'level';

export type Operation =
  | { readonly type: 'put'; readonly key: Uint8Array; readonly value: Uint8Array }
  | { readonly type: 'del'; readonly key: Uint8Array };

/** What the store needs of LevelDB while it is open. `clear` is not in it: never durable. */
export interface Database {
  /** One atomic record of LevelDB's own log; resolves once it is synced. */
  writeSynced(operations: Operation[]): Promise<void>;
  readNow(key: Uint8Array): Uint8Array | undefined;
  close(): Promise<void>;
}

export interface LevelOptions {
  readonly path: string;
  /** False: a database that should be there and is not is an error, never a new one. */
  readonly create: boolean;
  /** LevelDB's memory table and log file, bytes. */
  readonly writeBufferBytes: number;
}

/** What the opening scan reads per step. */
const SCAN_BYTES = 4 * 1024 * 1024;
const SCAN_RECORDS = 1000;
const TABLE_FILE_BYTES = 32 * 1024 * 1024;
const SYNCED = { sync: true } as const;

/** LevelDB with byte keys and byte values. */
export class LevelDatabase implements Database {
  readonly #level: Level<Uint8Array, Uint8Array>;

  constructor(options: LevelOptions) {
    this.#level = new Level<Uint8Array, Uint8Array>(options.path, {
      keyEncoding: 'view',
      valueEncoding: 'view',
      createIfMissing: options.create,
      writeBufferSize: options.writeBufferBytes,
      maxFileSize: TABLE_FILE_BYTES,
      // Entries are compact already, and compression would cost a core of a busy node.
      compression: false,
    });
  }

  async open(): Promise<void> {
    await this.#level.open();
  }

  async writeSynced(operations: Operation[]): Promise<void> {
    await this.#level.batch(operations, SYNCED);
  }

  readNow(key: Uint8Array): Uint8Array | undefined {
    return this.#level.getSync(key);
  }

  async isEmpty(): Promise<boolean> {
    const keys = await this.#level.keys({ limit: 1 }).all();
    return keys.length === 0;
  }

  /** Records of a key range in order, in portions that bound memory. */
  async *portions(range: {
    readonly gte: Uint8Array;
    readonly lt: Uint8Array;
  }): AsyncGenerator<readonly (readonly [Uint8Array, Uint8Array])[], void, undefined> {
    const iterator = this.#level.iterator({
      ...range,
      fillCache: false,
      highWaterMarkBytes: SCAN_BYTES,
    });
    try {
      for (;;) {
        const portion = await iterator.nextv(SCAN_RECORDS);
        if (portion.length === 0) return;
        yield portion;
      }
    } finally {
      await iterator.close();
    }
  }

  async close(): Promise<void> {
    await this.#level.close();
  }
}
