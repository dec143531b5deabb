import type { KvRecord } from './kv-record.js';
import { ABSENT } from './kv-record.js';
import type { RevisionRange } from './kv-revisions.js';
import { boundedBy, exactly, rangeOf } from './kv-revisions.js';
import type { KvState } from './kv-state.js';

/** One step from a state: what is changed, and what is learnt of revisions on the way. */
export class KvDraft {
  readonly #from: KvState;
  #records: KvRecord[] | undefined;
  #revision: number;
  #changes: number;
  #entry: RevisionRange | undefined;

  constructor(from: KvState) {
    this.#from = from;
    this.#revision = from.revision;
    this.#changes = from.changes;
  }

  /** False: neither versions nor revisions are kept. */
  get counts(): boolean {
    return this.#from.counts;
  }

  /** The revision of this step's own change. */
  get entry(): RevisionRange {
    if (this.#entry === undefined) throw new Error('assertion failed: a change without revision');
    return this.#entry;
  }

  recordOf(key: string): KvRecord {
    const slot = this.#from.slots.get(key);
    if (slot === undefined) return ABSENT;
    return (this.#records ?? this.#from.records)[slot] ?? ABSENT;
  }

  put(key: string, record: KvRecord): void {
    const slot = this.#from.slots.get(key);
    if (slot === undefined) throw new Error(`assertion failed: ${key} is no key of this part`);
    this.#write(slot, record);
  }

  /** Whether it changes something, and the revision that was answered; false: it cannot be. */
  begin(isChange: boolean, shown: number | undefined): boolean {
    const { counts } = this.#from;
    const next = this.#revision + (isChange ? 1 : 0);
    if (shown !== undefined && shown < next) return false;
    if (isChange && counts) this.#changes += 1;
    if (isChange) {
      const change = this.#changes;
      const open = counts ? rangeOf(change, next, Infinity) : rangeOf(0, 0, Infinity);
      this.#entry = shown === undefined ? open : exactly(change, shown);
    }
    if (counts) this.#revision = shown ?? next;
    return shown === undefined || this.learn(rangeOf(this.#changes, -Infinity, shown));
  }

  /** What it tells of the revision of one change bounds that of all others; false: it cannot be. */
  learn(known: RevisionRange): boolean {
    const records = this.#records ?? this.#from.records;
    for (let slot = 0; slot < records.length; slot += 1) {
      const record = (this.#records ?? records)[slot] ?? ABSENT;
      const modified = boundedBy(record.modified, known);
      const created = boundedBy(record.created, known);
      if (modified === undefined || created === undefined) return false;
      if (modified === record.modified && created === record.created) continue;
      this.#write(slot, { ...record, modified, created });
      // What is known not to be may have moved a bound further than `known` does.
      if (record.modified.not.length > 0 && !this.learn(modified)) return false;
      if (record.created.not.length > 0 && !this.learn(created)) return false;
    }
    if (this.#entry !== undefined) {
      this.#entry = boundedBy(this.#entry, known);
      if (this.#entry === undefined) return false;
    }
    this.#revision = Math.max(this.#revision, known.min + this.#changes - known.change);
    return true;
  }

  state(): KvState {
    const from = this.#from;
    const isSame = this.#records === undefined && this.#changes === from.changes;
    if (isSame && this.#revision === from.revision) return from;
    const { slots, counts } = from;
    const records = this.#records ?? from.records;
    return { slots, records, revision: this.#revision, changes: this.#changes, counts };
  }

  #write(slot: number, record: KvRecord): void {
    this.#records ??= this.#from.records.slice();
    this.#records[slot] = record;
  }
}
