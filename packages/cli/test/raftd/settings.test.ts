import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parseHostPort, parsePeers } from '../../src/raftd/addresses.js';
import { parseDurationMs } from '../../src/duration.js';
import { parseFlags } from '../../src/raftd/flags.js';
import { checkSettings, type RaftdSettings, settingsWarnings } from '../../src/raftd/settings.js';
import { collectSettings, readConfigFile } from '../../src/raftd/settings-sources.js';
import { UsageError } from '../../src/raftd/usage-error.js';

const scratch = mkdtempSync(join(tmpdir(), 'raftd-settings-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const THREE = 'n1=10.0.0.1:7400,n2=10.0.0.2:7400,n3=10.0.0.3:7400';

function settingsOf(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): RaftdSettings {
  const flags = parseFlags(args, '0.0.0');
  const file =
    flags.config === undefined
      ? undefined
      : { path: flags.config, values: readConfigFile(flags.config) };
  return checkSettings(collectSettings(flags.values, environment, file));
}

function errorOf(args: readonly string[], environment = {}): UsageError {
  try {
    settingsOf(args, environment);
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

function configFile(content: unknown): string {
  const path = join(scratch, 'raftd.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

describe('defaults', () => {
  test('without --peers a node is alone, on the loopback address', () => {
    const settings = settingsOf([]);
    expect(settings).toMatchObject({
      id: 'n1',
      peers: [{ id: 'n1', address: '127.0.0.1:7400' }],
      listen: { host: '127.0.0.1', port: 7400 },
      advertise: '127.0.0.1:7400',
      clusterName: 'raftd',
      reads: 'quorum',
      heartbeatMs: 50,
      electionTimeoutMs: 300,
      logLevel: 'info',
    });
    expect(settings.dataDirectory).toMatch(/\/n1\.raftd$/);
  });

  test('a node listens on and advertises its own entry in --peers', () => {
    const settings = settingsOf(['--id', 'n2', '--peers', THREE]);
    expect(settings.listen).toEqual({ host: '10.0.0.2', port: 7400 });
    expect(settings.advertise).toBe('10.0.0.2:7400');
    expect(settings.dataDirectory).toMatch(/\/n2\.raftd$/);
  });

  test('--listen and --advertise may differ from it', () => {
    const args = ['--listen', '0.0.0.0:9', '--advertise', 'outside:10'];
    const settings = settingsOf(['--id', 'n2', '--peers', THREE, ...args]);
    expect(settings.listen).toEqual({ host: '0.0.0.0', port: 9 });
    expect(settings.advertise).toBe('outside:10');
    expect(settings.peers[1]?.address).toBe('10.0.0.2:7400');
  });
});

describe('sources', () => {
  test('flags win over environment, environment over file, file over defaults', () => {
    const path = configFile({ heartbeat: '10ms', 'election-timeout': '100ms', cluster: 'file' });
    const args = ['--config', path, '--heartbeat', '30ms'];
    const environment = { RAFTD_HEARTBEAT: '20ms', RAFTD_ELECTION_TIMEOUT: '2s' };
    expect(settingsOf(args, environment)).toMatchObject({
      heartbeatMs: 30,
      electionTimeoutMs: 2_000,
      clusterName: 'file',
      reads: 'quorum',
    });
  });

  test('an error names the source that is wrong', () => {
    expect(errorOf([], { RAFTD_READS: 'fast' }).message).toMatch(/^RAFTD_READS: "fast" is neither/);
    const path = configFile({ heartbeat: '50' });
    expect(errorOf(['--config', path]).message).toMatch(/^heartbeat in .*: "50" has no unit/);
  });

  test('an unknown key of the file is refused with a suggestion', () => {
    const error = errorOf(['--config', configFile({ heartbaet: '50ms' })]);
    expect(error.code).toBe('UNKNOWN_KEY');
    expect(error.message).toMatch(/did you mean heartbeat\?/);
  });

  test.each([
    { what: 'a number', content: { heartbeat: 50 }, code: 'INVALID_VALUE' },
    { what: 'no object', content: [], code: 'CONFIG_UNREADABLE' },
    { what: 'no JSON', content: '{', code: 'CONFIG_UNREADABLE' },
  ])('a file with $what is refused', ({ content, code }) => {
    expect(errorOf(['--config', configFile(content)]).code).toBe(code);
  });

  test('a missing file is refused', () => {
    expect(errorOf(['--config', join(scratch, 'none')]).code).toBe('CONFIG_UNREADABLE');
  });
});

describe('refused, with the name of the field', () => {
  test.each([
    { args: ['--no-such'], code: 'UNKNOWN_FLAG', says: /--no-such/ },
    { args: ['--heartbaet', '1s'], code: 'UNKNOWN_FLAG', says: /--heartbeat\?/ },
    { args: ['--id'], code: 'UNKNOWN_FLAG', says: /--id/ },
    { args: ['stray'], code: 'UNKNOWN_FLAG', says: /argument/ },
    { args: ['--id', 'n1', '--peers', 'n1,n2'], code: 'INVALID_PEERS', says: /"n1" is not ID=/ },
    { args: ['--id', 'n1', '--peers', 'n1=a:70000'], code: 'INVALID_PEERS', says: /70000/ },
    { args: ['--id', 'n1', '--peers', 'n1=a:1,n1=a:2'], code: 'INVALID_PEERS', says: /twice/ },
    { args: ['--id', 'n1', '--peers', 'n1=a:1,n2=a:1'], code: 'INVALID_PEERS', says: /twice/ },
    { args: ['--id', 'n9', '--peers', THREE], code: 'ID_NOT_IN_PEERS', says: /n9.*n1, n2, n3/ },
    { args: ['--peers', THREE], code: 'ID_MISSING', says: /--id/ },
    { args: ['--id', '../x'], code: 'INVALID_VALUE', says: /--id: "\.\.\/x"/ },
    { args: ['--heartbeat', '50'], code: 'INVALID_VALUE', says: /--heartbeat.*write 50ms/ },
    { args: ['--heartbeat', 'soon'], code: 'INVALID_VALUE', says: /--heartbeat.*500ms/ },
    { args: ['--listen', 'nowhere'], code: 'INVALID_VALUE', says: /--listen.*HOST:PORT/ },
    { args: ['--log-level', 'loud'], code: 'INVALID_VALUE', says: /--log-level.*debug/ },
    {
      args: ['--heartbeat', '200ms'],
      code: 'INVALID_VALUE',
      says: /--election-timeout: 300ms is below twice/,
    },
  ])('$args', ({ args, code, says }) => {
    const error = errorOf(args);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(says);
    expect(error.message).not.toContain('\n');
  });
});

test('an election time-out below five heartbeats is warned about', () => {
  expect(settingsWarnings(settingsOf(['--heartbeat', '100ms']))).toHaveLength(1);
  expect(settingsWarnings(settingsOf([]))).toEqual([]);
});

test.each([
  ['500ms', 500],
  ['2s', 2_000],
  ['1.5s', 1_500],
  ['5m', 300_000],
  ['1h', 3_600_000],
  ['50', undefined],
  ['0ms', undefined],
  ['0.5ms', undefined],
  ['-1s', undefined],
  ['1d', undefined],
  ['', undefined],
])('the duration %j is %j ms', (text, expected) => {
  expect(parseDurationMs(text)).toBe(expected);
});

test('addresses may be names, IPv4 or bracketed IPv6', () => {
  expect(parseHostPort('db.example:7400')).toEqual({ host: 'db.example', port: 7400 });
  expect(parseHostPort('[::1]:7400')).toEqual({ host: '::1', port: 7400 });
  expect(parseHostPort('::1:7400')).toBeUndefined();
  expect(parseHostPort('host:0')).toBeUndefined();
  expect(parsePeers('a=x:1, b=y:2').map(({ id }) => id)).toEqual(['a', 'b']);
});
