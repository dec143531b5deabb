import type { Command } from 'commander';

import type { WatchEvent } from '@raftd/client';

import { jsonBytes, shownBytes } from './bytes.js';
import { keyRange } from './kv-arguments.js';
import { jsonRecord } from './records.js';
import { type GlobalOptions, withStream } from './session.js';
import { wholeNumber } from './exit.js';

interface WatchOptions {
  readonly prefix?: string;
  readonly from?: number;
}

export function addWatchCommand(program: Command, globals: () => GlobalOptions): void {
  program
    .command('watch [KEY]')
    .description('print every change of KEY, or of all keys with --prefix, until interrupted')
    .option('--prefix <PREFIX>', 'every key that begins with PREFIX')
    .option('--from <REVISION>', 'begin with this revision, not with the next', wholeNumber)
    .action((key: string | undefined, options: WatchOptions) => watch(key, options, globals()));
}

function watch(
  key: string | undefined,
  options: WatchOptions,
  globals: GlobalOptions,
): Promise<void> {
  const target =
    key !== undefined && options.prefix === undefined
      ? { key }
      : keyRange({ start: key, end: undefined, prefix: options.prefix });
  return withStream(globals, async ({ client, output, signal }) => {
    const from = options.from === undefined ? {} : { fromRevision: options.from };
    for await (const event of client.watch(target, { ...from, signal })) {
      output.value(jsonEvent(event), describeEvent(event));
    }
  });
}

function jsonEvent(event: WatchEvent): object {
  if (event.type === 'put') {
    return { type: 'put', revision: event.revision, ...jsonRecord(event.record) };
  }
  const { type, revision, key, reason } = event;
  return { type, revision, key: jsonBytes(key), reason };
}

function describeEvent(event: WatchEvent): string {
  if (event.type === 'put') {
    const { key, value } = event.record;
    return `${event.revision} put ${shownBytes(key)} = ${shownBytes(value)}`;
  }
  return `${event.revision} delete ${shownBytes(event.key)} (${event.reason})`;
}
