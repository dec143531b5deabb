import type { Logger } from '@raftd/server';

const ignore = (): void => undefined;

/** Nobody reads a simulated node's log: its story is told by events. */
export const SILENT: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
