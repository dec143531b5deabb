import type { Client, WriteOptions as WriteGuarded } from '@raftd/client';
import type { Command } from 'commander';

import { shownBytes } from './bytes.js';
import { guardOption, keyRange, readValue } from './kv-arguments.js';
import { jsonRecord } from './records.js';
import { type GlobalOptions, withSession } from './session.js';
import { readTxn } from './txn-document.js';
import { EXIT } from '../exit-codes.js';
import { ExitError, wholeNumber } from './exit.js';

const PAGE_LIMIT_MAX = 1_000;

interface ReadOptions {
  readonly stale?: true;
}
interface RangeOptions extends ReadOptions {
  readonly prefix?: string;
  readonly end?: string;
  readonly limit: number;
}
interface WriteOptions {
  readonly lease?: string;
  readonly guard?: string;
}

const consistencyOf = ({ stale }: ReadOptions): 'stale' | 'linearizable' => {
  return stale === true ? 'stale' : 'linearizable';
};

export function addKvCommands(program: Command, globals: () => GlobalOptions): void {
  addReads(program, globals);
  addWrites(program, globals);
  program
    .command('txn [FILE]')
    .description('run the transaction in FILE (JSON; - or nothing: standard input)')
    .addHelpText('after', TXN_HELP)
    .action((file: string | undefined) => txn(file ?? '-', globals()));
}

const TXN_HELP = `
{ "compare": [{ "key": "k", "target": "version", "operator": "=", "operand": 0 }],
  "then": [{ "type": "put", "key": "k", "value": "v" }], "else": [{ "type": "get", "key": "k" }],
  "guards": [{ "election": "billing", "token": "123" }] }
targets: value, version, create-revision, mod-revision; operators: = != < >
operations: put, get, delete, delete-range (start, end). Exit code 4: the comparison failed.`;

function addReads(program: Command, globals: () => GlobalOptions): void {
  program
    .command('get <KEY>')
    .description('print the value of KEY; exit code 3 when there is none')
    .option('--stale', 'any node may answer, perhaps with an older value')
    .action((key: string, options: ReadOptions) => get(key, options, globals()));
  program
    .command('range [START]')
    .description('list keys from START to --end, or with --prefix, in byte order')
    .option('--prefix <PREFIX>', 'only keys that begin with PREFIX')
    .option('--end <KEY>', 'stop before KEY')
    .option('--limit <N>', 'at most N keys', wholeNumber, 1_000)
    .option('--stale', 'any node may answer, perhaps with older values')
    .action((start: string | undefined, options: RangeOptions) => {
      return range(start, options, globals());
    });
}

function addWrites(program: Command, globals: () => GlobalOptions): void {
  program
    .command('put <KEY> <VALUE>')
    .description('set KEY to VALUE (-: standard input)')
    .option('--lease <ID>', 'delete the key when this lease ends')
    .option('--guard <ELECTION:TOKEN>', 'only while this grant is current')
    .action((key: string, value: string, options: WriteOptions) => {
      return put(key, value, options, globals());
    });
  program
    .command('delete [KEY]')
    .description('delete KEY, or every key with --prefix; exit code 3 when there was none')
    .option('--prefix <PREFIX>', 'every key that begins with PREFIX')
    .option('--guard <ELECTION:TOKEN>', 'only while this grant is current')
    .action((key: string | undefined, options: WriteOptions & { prefix?: string }) => {
      return remove(key, options, globals());
    });
}

function get(key: string, options: ReadOptions, globals: GlobalOptions): Promise<void> {
  return withSession(globals, async ({ client, output }) => {
    const record = await client.get(key, { consistency: consistencyOf(options) });
    if (record === undefined) throw new ExitError(EXIT.notFound, `key '${key}' does not exist`);
    output.value(jsonRecord(record), shownBytes(record.value));
  });
}

function range(
  start: string | undefined,
  options: RangeOptions,
  globals: GlobalOptions,
): Promise<void> {
  const wanted = keyRange({ start, prefix: options.prefix, end: options.end });
  return withSession(globals, async ({ client, output }) => {
    const consistency = consistencyOf(options);
    const pageLimit = Math.min(options.limit, PAGE_LIMIT_MAX);
    const records = [];
    for await (const page of client.range(wanted, { consistency, limit: pageLimit })) {
      records.push(...page.records);
      if (records.length >= options.limit) break;
    }
    records.length = Math.min(records.length, options.limit);
    output.rows(
      records.map(jsonRecord),
      ['KEY', 'VALUE', 'VERSION', 'REVISION', 'LEASE'],
      records.map((record) => [
        shownBytes(record.key),
        shownBytes(record.value),
        record.version,
        record.modRevision,
        record.lease,
      ]),
    );
  });
}

async function put(
  key: string,
  text: string,
  options: WriteOptions,
  globals: GlobalOptions,
): Promise<void> {
  const value = await readValue(text);
  const guard = guardOption(options.guard);
  await withSession(globals, async ({ client, output }) => {
    const { lease } = options;
    const { revision, version } = await client.put(key, value, {
      ...(lease === undefined ? {} : { lease }),
      ...(guard === undefined ? {} : { guard }),
    });
    output.value({ revision, version }, `OK (revision ${revision}, version ${version})`);
  });
}

function remove(
  key: string | undefined,
  options: WriteOptions & { readonly prefix?: string },
  globals: GlobalOptions,
): Promise<void> {
  if ((key === undefined) === (options.prefix === undefined)) {
    throw new ExitError(EXIT.usage, 'name either KEY or --prefix');
  }
  if (options.prefix === '') {
    throw new ExitError(EXIT.usage, "--prefix '' would delete every key: name a prefix");
  }
  const guard = guardOption(options.guard);
  const guarded = guard === undefined ? {} : { guard };
  return withSession(globals, async ({ client, output }) => {
    const deleted =
      key === undefined
        ? await removeAll(client, options.prefix ?? '', guarded)
        : (await client.delete(key, guarded)).deleted;
    output.value({ deleted }, `${deleted} deleted`);
    if (deleted === 0) throw new ExitError(EXIT.notFound, 'there was no such key');
  });
}

/** One entry deletes a bounded number of keys: as many entries as it takes. */
async function removeAll(client: Client, prefix: string, options: WriteGuarded): Promise<number> {
  let deleted = 0;
  for (;;) {
    const part = await client.deleteRange({ prefix }, options);
    deleted += part.deleted;
    if (!part.more) return deleted;
  }
}

async function txn(file: string, globals: GlobalOptions): Promise<void> {
  const { txn: asked, guards } = await readTxn(file);
  await withSession(globals, async ({ client, output }) => {
    const outcome = await client.txn(asked, { guard: guards });
    const results = outcome.results.map((result) => {
      if (result.type !== 'get') return result;
      return {
        type: 'get',
        record: result.record === undefined ? null : jsonRecord(result.record),
      };
    });
    const { revision, succeeded } = outcome;
    output.value(
      { succeeded, revision, results },
      [`${succeeded ? 'then' : 'else'} (revision ${revision})`]
        .concat(results.map((result) => JSON.stringify(result)))
        .join('\n'),
    );
    if (!succeeded) throw new ExitError(EXIT.refused, 'the comparison failed');
  });
}
