/**
 * One write of a batch, as `level` takes it. Keys and values are whatever the encodings of the
 * database, the sublevel or the operation accept.
 */
export type FenceOperation =
  | (OperationOptions & { readonly type: 'put'; readonly key: unknown; readonly value: unknown })
  | (OperationOptions & { readonly type: 'del'; readonly key: unknown });

interface OperationOptions {
  /** The sublevel that the key belongs to, where it is not the database itself. */
  readonly sublevel?: { readonly prefix: string } | undefined;
  readonly keyEncoding?: string | object | undefined;
  readonly valueEncoding?: string | object | undefined;
}

/**
 * What the guard needs of a database; `level` and `classic-level` fit. It must be the one open
 * handle of its directory, and with `sync` a batch must be on disk once its promise is kept.
 */
export interface LevelLike {
  /** The root database, where this is a sublevel of one. */
  readonly db?: object | undefined;
  get(
    key: string,
    options: { keyEncoding: 'utf8'; valueEncoding: 'utf8' },
  ): Promise<string | undefined>;
  batch(operations: FenceOperation[], options: { sync: boolean }): Promise<unknown>;
}
