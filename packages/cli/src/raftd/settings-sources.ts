import { readFileSync } from 'node:fs';
import { suggestion } from './suggestion.js';
import { UsageError } from './usage-error.js';

/** The names of settings: flags with `--`, environment as RAFTD_NAME, keys of the file as here. */
export const KEYS = [
  'id',
  'peers',
  'listen',
  'advertise',
  'data-dir',
  'cluster',
  'reads',
  'heartbeat',
  'election-timeout',
  'log-level',
] as const;

export type Key = (typeof KEYS)[number];

/** As written by the user, not looked at yet. */
export type RawSettings = Readonly<Partial<Record<Key, string>>>;

export interface SourcedValue {
  readonly value: string;
  /** How the user wrote it: `--heartbeat`, `RAFTD_HEARTBEAT`, `heartbeat in FILE`. */
  readonly source: string;
}

export type SourcedSettings = ReadonlyMap<Key, SourcedValue>;

/** Flags over environment over file. */
export function collectSettings(
  flags: RawSettings,
  environment: Readonly<Record<string, string | undefined>>,
  file: { readonly path: string; readonly values: RawSettings } | undefined,
): SourcedSettings {
  const settings = new Map<Key, SourcedValue>();
  for (const key of KEYS) {
    const variable = `RAFTD_${key.toUpperCase().replace(/-/g, '_')}`;
    const candidates = [
      { value: flags[key], source: `--${key}` },
      { value: environment[variable], source: variable },
      { value: file?.values[key], source: `${key} in ${file?.path}` },
    ];
    for (const { value, source } of candidates) {
      if (value === undefined) continue;
      settings.set(key, { value, source });
      break;
    }
  }
  return settings;
}

/** @throws {UsageError} unreadable, not a JSON object of strings, or a key nobody knows. */
export function readConfigFile(path: string): RawSettings {
  const parsed = parseFile(path);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new UsageError('CONFIG_UNREADABLE', `--config: ${path} is not a JSON object`);
  }
  const values: Partial<Record<Key, string>> = {};
  for (const [name, value] of Object.entries(parsed)) {
    const key = KEYS.find((known) => known === name);
    if (key === undefined) {
      const hint = suggestion(name, KEYS);
      throw new UsageError('UNKNOWN_KEY', `${name} in ${path}: unknown key${hint}`);
    }
    if (typeof value !== 'string') {
      const message = `${name} in ${path}: ${JSON.stringify(value)} is not a string`;
      throw new UsageError('INVALID_VALUE', `${message}; write it as the flag is written`);
    }
    values[key] = value;
  }
  return values;
}

function parseFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError('CONFIG_UNREADABLE', `--config: ${path}: ${reason.replace(/\n/g, ' ')}`);
  }
}
