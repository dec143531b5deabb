import type { HistoryFileLimits } from './history-file.js';
import type { Value } from './value.js';

/** Why a history file cannot be read: its line, counted from 1, and the field that is wrong. */
export class HistoryFileError extends Error {
  override readonly name: string = 'HistoryFileError';
  readonly line: number;
  readonly field: string;
  readonly reason: string;

  constructor(line: number, field: string, reason: string) {
    super(`line ${line}: ${field} ${reason}`);
    this.line = line;
    this.field = field;
    this.reason = reason;
  }
}

/** Equal JSON becomes the same value: the models compare by identity. */
export class ValuePool {
  readonly #objects = new Map<string, object>();

  of(json: unknown): Value {
    if (typeof json !== 'object' || json === null) return json as Value;
    const text = canonical(json);
    const known = this.#objects.get(text);
    if (known !== undefined) return known;
    this.#objects.set(text, json);
    return json;
  }
}

function canonical(json: unknown): string {
  if (typeof json !== 'object' || json === null) return JSON.stringify(json);
  if (Array.isArray(json)) return `[${json.map(canonical).join()}]`;
  const fields = Object.entries(json).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${canonical(value)}`).join()}}`;
}

/** The fields of one JSON object of a line, taken one by one; what is left over is a mistake. */
export class Fields {
  readonly line: number;
  readonly limits: HistoryFileLimits;
  readonly #path: string;
  readonly #values: ValuePool;
  readonly #fields: Map<string, unknown>;

  constructor(
    json: unknown,
    at: { line: number; path: string; limits: HistoryFileLimits; values: ValuePool },
  ) {
    this.line = at.line;
    this.limits = at.limits;
    this.#path = at.path;
    this.#values = at.values;
    if (typeof json !== 'object' || json === null || Array.isArray(json)) {
      const what = at.path === '' ? 'the line' : at.path.slice(0, -1);
      throw new HistoryFileError(at.line, what, 'is not a JSON object');
    }
    this.#fields = new Map(Object.entries(json));
  }

  fail(field: string, reason: string): never {
    throw new HistoryFileError(this.line, `${this.#path}${field}`, reason);
  }

  /** Null counts as absent. */
  has(field: string): boolean {
    return (this.#fields.get(field) ?? undefined) !== undefined;
  }

  name(field: string): string {
    const value = this.#take(field);
    if (typeof value !== 'string' || value === '') this.fail(field, 'is not a text');
    const limit = this.limits.nameCharsMax;
    if (value.length > limit) this.fail(field, `is longer than ${limit} characters`);
    return value;
  }

  oneOf<Word extends string>(field: string, words: readonly Word[]): Word {
    const value = this.#take(field);
    const word = words.find((it) => it === value);
    return word ?? this.fail(field, `is not one of ${words.join(', ')}`);
  }

  boolean(field: string): boolean {
    const value = this.#take(field);
    return typeof value === 'boolean' ? value : this.fail(field, 'is not true or false');
  }

  time(field: string): number {
    const value = this.#take(field);
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    return this.fail(field, 'is not a number of milliseconds');
  }

  optionalTime(field: string): number | undefined {
    return this.has(field) ? this.time(field) : this.#skip(field);
  }

  count(field: string): number {
    const value = this.#take(field);
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
    return this.fail(field, `is not a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`);
  }

  optionalCount(field: string): number | undefined {
    return this.has(field) ? this.count(field) : this.#skip(field);
  }

  /** Any JSON, but it must be there. */
  value(field: string): Value {
    if (!this.#fields.has(field)) this.fail(field, 'is missing');
    return this.optionalValue(field);
  }

  optionalValue(field: string): Value {
    const json = this.#take(field) ?? null;
    this.#demandComparable(field, json, 0);
    return this.#values.of(json);
  }

  object(field: string): Fields {
    return this.#within(this.#take(field), field);
  }

  optionalObject(field: string): Fields | undefined {
    return this.has(field) ? this.object(field) : this.#skip(field);
  }

  /** Absent: empty. */
  list(field: string): readonly Fields[] {
    const value = this.#take(field) ?? [];
    if (!Array.isArray(value)) this.fail(field, 'is not a list');
    const limit = this.limits.txnStepsMax;
    if (value.length > limit) this.fail(field, `has more than ${limit} items`);
    return value.map((item, at) => this.#within(item, `${field}[${at}]`));
  }

  end(): void {
    for (const field of this.#fields.keys()) this.fail(field, 'does not belong here');
  }

  #within(json: unknown, field: string): Fields {
    const path = `${this.#path}${field}.`;
    const { line, limits } = this;
    return new Fields(json, { line, path, limits, values: this.#values });
  }

  /** Two values that are written differently must not be read as one. */
  #demandComparable(field: string, json: unknown, depth: number): void {
    if (typeof json === 'number') {
      const isExact = Number.isSafeInteger(json) || !Number.isInteger(json);
      if (Number.isFinite(json) && isExact) return;
      this.fail(field, 'holds a number that is not exact: text may hold it');
    }
    if (typeof json !== 'object' || json === null) return;
    const limit = this.limits.valueDepthMax;
    if (depth === limit) this.fail(field, `is nested deeper than ${limit} levels`);
    for (const part of Object.values(json)) this.#demandComparable(field, part, depth + 1);
  }

  #take(field: string): unknown {
    const value = this.#fields.get(field);
    this.#fields.delete(field);
    return value;
  }

  #skip(field: string): undefined {
    this.#fields.delete(field);
  }
}
