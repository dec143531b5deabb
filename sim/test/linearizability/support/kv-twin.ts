import type { RandomStream } from '../../../src/world/random.js';
import type {
  KvAction,
  KvActionOutput,
  KvCompare,
  KvInput,
  KvOperator,
  KvOutput,
  Value,
} from '../../../src/linearizability/index.js';
import type { Twin } from './twin.js';
import { pick } from './twin.js';

interface Shown {
  readonly value: Value;
  readonly version: number;
  readonly createRevision: number;
  readonly modRevision: number;
}

type Stored = Shown & { readonly leaseEndsFromMs: number | undefined };

interface Store {
  readonly revision: number;
  readonly keys: Readonly<Record<string, Stored>>;
  /** Values written so far: for drawing fresh ones. */
  readonly written: number;
}

export interface KvTwinShape {
  readonly keys: readonly string[];
  readonly joinsKeys: boolean;
  /** Each put of a value of its own. */
  readonly freshValues: boolean;
  readonly comparesRevisions: boolean;
  readonly leases: boolean;
  /** Answers without versions and revisions. */
  readonly plain: boolean;
  /** Answers leave out this and that. */
  readonly hides?: boolean;
}

const OPERATORS: readonly KvOperator[] = ['=', '!=', '<', '>'];

function ordered(a: number | string, operator: KvOperator, b: number | string): boolean {
  if (operator === '=') return a === b;
  if (operator === '!=') return a !== b;
  return operator === '<' ? a < b : a > b;
}

function holds({ keys }: Store, { key, target, operator, operand }: KvCompare): boolean {
  const record = keys[key];
  if (target === 'value') {
    if (record === undefined) return operator === '!=';
    return ordered(record.value as number, operator, operand as number);
  }
  const field = { version: 'version', 'create-revision': 'createRevision' } as const;
  const name = target === 'mod-revision' ? 'modRevision' : field[target];
  return ordered(record?.[name] ?? 0, operator, operand);
}

/** All at once, as the state machine does: the change, if any, at `revision`. */
function apply(
  store: Store,
  input: KvInput,
  revision: number,
): { readonly state: Store; readonly output: KvOutput; readonly changed: boolean } {
  const keys: Record<string, Stored> = { ...store.keys };
  let changed = false;
  const succeeded = input.type === 'txn' && input.compare.every((it) => holds(store, it));
  const actions = input.type === 'txn' ? (succeeded ? input.then : input.else) : [input];
  const results = actions.map((action): KvActionOutput => {
    const before = keys[action.key];
    if (action.type === 'get') return { type: 'get', record: shown(before) };
    if (action.type === 'delete') {
      changed ||= before !== undefined;
      delete keys[action.key];
      return { type: 'delete', deleted: before === undefined ? 0 : 1 };
    }
    changed = true;
    const version = (before?.version ?? 0) + 1;
    keys[action.key] = {
      value: action.value,
      version,
      createRevision: before?.createRevision ?? revision,
      modRevision: revision,
      leaseEndsFromMs: action.leaseEndsFromMs,
    };
    return { type: 'put', version };
  });
  const at = changed ? revision : store.revision;
  const [first] = results;
  const output: KvOutput =
    input.type === 'txn'
      ? { type: 'txn', succeeded, results, revision: at }
      : { ...(first as KvActionOutput), revision: at };
  return { state: { ...store, keys, revision: at }, output, changed };
}

function shown(record: Stored | undefined): Shown | undefined {
  if (record === undefined) return undefined;
  const { value, version, createRevision, modRevision } = record;
  return { value, version, createRevision, modRevision };
}

/** Every text "revision": n in the answer; what is above all of them nobody can have seen. */
function fits(recorded: unknown, real: unknown): boolean {
  if (recorded === undefined) return true;
  if (typeof recorded !== 'object' || recorded === null) return recorded === real;
  if (typeof real !== 'object' || real === null) return false;
  if (Array.isArray(recorded) && recorded.length !== (real as unknown[]).length) return false;
  return Object.entries(recorded).every(([name, value]) => {
    if (name === 'record' && value === undefined)
      return (
        Object.entries(real).length === 1 || (real as { record?: unknown }).record === undefined
      );
    return fits(value, (real as Record<string, unknown>)[name]);
  });
}

/** Only small histories are tried: their revisions end here. */
const REVISION_MAX = 12;

/** The stores that may stand before an operation: any leased key may be gone by then. */
function vanishings(store: Store, untilMs: number): readonly Store[] {
  const stores = [store];
  for (const [key, { leaseEndsFromMs }] of Object.entries(store.keys)) {
    if (leaseEndsFromMs === undefined || leaseEndsFromMs > untilMs) continue;
    const keys = Object.fromEntries(Object.entries(store.keys).filter(([name]) => name !== key));
    for (let revision = store.revision + 1; revision <= REVISION_MAX; revision += 1) {
      stores.push(...vanishings({ ...store, keys, revision }, untilMs));
    }
  }
  return stores;
}

export function kvTwin(shape: KvTwinShape): Twin<Store, KvInput, KvOutput> {
  return {
    initial: { revision: 0, keys: {}, written: 0 },
    draw: (random, _process, store, nowMs) => drawInput(shape, random, store, nowMs),
    run: (store, input, random, nowMs) => {
      // Other keys and elections raise the revision, too; leases end whenever they may.
      const gap = random.percent(25) ? 1 : 0;
      const gone = random.percent(50) ? store : (vanishings(store, nowMs)[1] ?? store);
      const { state, output, changed } = apply(gone, input, gone.revision + 1 + gap);
      const written = store.written + (changed ? 1 : 0);
      const told = shape.hides === true ? hidden(output, random) : output;
      return { state: { ...state, written }, output: shape.plain ? plain(output) : told };
    },
    after: (store, { input, output }, untilMs) =>
      vanishings(store, untilMs).flatMap((before) => {
        const states: Store[] = [];
        // Whatever others did in between: the operation meets any later revision.
        for (let met = before.revision; met <= REVISION_MAX; met += 1) {
          const real = apply({ ...before, revision: met }, input, met + 1);
          if (fits(output, real.output)) states.push(real.state);
        }
        return shape.plain ? states.slice(0, 1) : states;
      }),
    changed: changedOutput,
  };
}

function plain(output: KvOutput): KvOutput {
  const strip = (result: KvActionOutput): KvActionOutput => {
    if (result.type === 'put') return { type: 'put' };
    if (result.type === 'delete') return { type: 'delete' };
    const { record } = result;
    return { type: 'get', record: record === undefined ? undefined : { value: record.value } };
  };
  if (output.type !== 'txn') return strip(output);
  const { succeeded, results } = output;
  return { type: 'txn', succeeded, results: results?.map(strip) };
}

/** What may be left out of an answer, left out at random. */
function hidden(output: KvOutput, random: RandomStream): KvOutput {
  const maybe = <T>(value: T): T | undefined => (random.percent(40) ? value : undefined);
  const hide = (result: KvActionOutput): KvActionOutput => {
    if (result.type === 'put') return { type: 'put', version: maybe(result.version) };
    if (result.type === 'delete') return { type: 'delete', deleted: maybe(result.deleted) };
    if (result.record === undefined) return { type: 'get', record: undefined };
    const { value, version, createRevision, modRevision } = result.record;
    const record = {
      value,
      version: maybe(version),
      createRevision: maybe(createRevision),
      modRevision: maybe(modRevision),
    };
    return { type: 'get', record };
  };
  const revision = maybe(output.revision);
  if (output.type !== 'txn') return { ...hide(output), revision };
  return { ...output, results: maybe(output.results?.map(hide)), revision };
}

function drawInput(shape: KvTwinShape, random: RandomStream, store: Store, nowMs: number): KvInput {
  const home = pick(random, shape.keys);
  const drawKey = () => (shape.joinsKeys ? pick(random, shape.keys) : home);
  const action = (): KvAction => {
    const key = drawKey();
    const type = pick(random, ['put', 'put', 'get', 'get', 'delete'] as const);
    if (type !== 'put') return { type, key };
    const value = shape.freshValues ? Math.floor(random.next() * 1e9) : pick(random, [1, 2, 3]);
    const isLeased = shape.leases && random.percent(40);
    const leaseEndsFromMs = isLeased ? nowMs + Math.floor(random.next() * 6) : undefined;
    return { type: 'put', key, value, leaseEndsFromMs };
  };
  const compare = (): KvCompare => {
    const key = drawKey();
    const operator = pick(random, OPERATORS);
    const record = store.keys[key];
    if (random.percent(40) || (!shape.comparesRevisions && shape.plain)) {
      const operand = record !== undefined && random.percent(70) ? record.value : 2;
      return { key, target: 'value', operator, operand };
    }
    const near = Math.floor(random.next() * 3) - 1;
    if (!shape.comparesRevisions) {
      const operand = Math.max(0, (record?.version ?? 0) + near);
      return { key, target: 'version', operator, operand };
    }
    const isCreate = random.percent(30);
    const actual = (isCreate ? record?.createRevision : record?.modRevision) ?? 0;
    const target = isCreate ? 'create-revision' : 'mod-revision';
    return { key, target, operator, operand: Math.max(0, actual + near) };
  };
  if (random.percent(70)) return action();
  const list = <T>(draw: () => T): T[] =>
    Array.from({ length: Math.floor(random.next() * 3) }, () => draw());
  const then = [action(), ...list(action)];
  return { type: 'txn', compare: list(compare), then, else: list(action) };
}

function changedOutput(output: KvOutput, random: RandomStream): KvOutput | undefined {
  const step = random.percent(50) ? 1 : -1;
  const numbers: ((text: string) => string)[] = [
    (text) => text.replace(/"value":\d+/, `"value":${pick(random, [1, 2, 3])}`),
    (text) => text.replace(/"deleted":([01])/, (_, n) => `"deleted":${1 - Number(n)}`),
    (text) => text.replace(/"succeeded":(true|false)/, (_, it) => `"succeeded":${it === 'false'}`),
    (text) => text.replace('{"type":"get"', '{"type":"get","record":{"value":1}'),
    (text) => text.replace(/"record":\{[^}]*\}/, '"gone":0'),
    ...['version', 'revision', 'createRevision', 'modRevision'].map(
      (name) => (text: string) =>
        text.replace(new RegExp(`"${name}":(\\d+)`), (_, n) => `"${name}":${Number(n) + step}`),
    ),
  ];
  const before = JSON.stringify(output);
  const after = pick(random, numbers)(before);
  return after === before ? undefined : revive(JSON.parse(after));
}

/** JSON leaves out fields that are undefined; a get without a record must keep saying so. */
function revive(output: KvOutput): KvOutput {
  const action = (result: KvActionOutput): KvActionOutput =>
    result.type === 'get' ? { type: 'get', record: result.record } : result;
  if (output.type !== 'txn') return { ...action(output), revision: output.revision };
  return { ...output, results: output.results?.map(action) };
}
