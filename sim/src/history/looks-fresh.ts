import { describeElection, describeSeenLease } from '../story/describe-call.js';
import type { Answer, Look, OperationReturned, StormEvent } from '../storm/events.js';
import type { CanonicalEntry, EntryReader } from './canonical-log.js';
import type { HistoryContext, StormChecker } from './checker.js';
import { nothingLeft } from './checker.js';
import { ElectionsPast } from './elections-past.js';
import { LeasesPast } from './leases-past.js';
import { at } from './sentence.js';

interface AskedLook {
  readonly client: string;
  readonly operation: number;
  readonly look: Look;
  readonly stale: boolean;
  readonly askedAtMs: number;
  /** What some node had applied when it was asked. */
  readonly floorIndex: number;
  readonly floorClusterTimeMs: number;
}

/**
 * I12 of elections and leases: what a look shows stood so, all of it at once, after some entry no
 * older than the last that was applied anywhere when it was asked. A stale one may show anything
 * that ever stood.
 */
export class LooksFresh implements StormChecker, EntryReader {
  readonly ids = ['I12'] as const;
  readonly wants = ['operation-invoked', 'operation-returned'] as const;
  readonly finish: () => void = nothingLeft;
  readonly #context: HistoryContext;
  readonly #asked = new Map<number, AskedLook>();
  readonly #elections = new ElectionsPast();
  readonly #leases = new LeasesPast();

  constructor(context: HistoryContext) {
    this.#context = context;
  }

  observe(event: StormEvent): void {
    if (event.type === 'operation-invoked') {
      const { client, operation, call } = event;
      if (call.type !== 'look') return;
      const { probe, log } = this.#context;
      const { at: look, stale } = call;
      this.#asked.set(operation, {
        client,
        operation,
        look,
        stale,
        askedAtMs: probe.trueMs,
        floorIndex: stale ? 0 : log.lastIndex,
        floorClusterTimeMs: stale ? 0 : log.clusterTimeMs,
      });
    } else if (event.type === 'operation-returned') this.#onReturned(event);
  }

  onSettled(entry: CanonicalEntry): void {
    const { elections, leases } = this.#context.log;
    this.#elections.follow(entry, elections);
    this.#leases.follow(entry, leases);
  }

  #onReturned({ operation, outcome }: OperationReturned): void {
    const asked = this.#asked.get(operation);
    if (asked === undefined) return;
    this.#asked.delete(operation);
    if (outcome.type === 'answered') this.#onAnswered(asked, outcome.answer);
  }

  #onAnswered(asked: AskedLook, answer: Answer): void {
    if (answer.type === 'elections') {
      const one = asked.look.type === 'election' ? asked.look.election : undefined;
      if (this.#elections.stood(answer, one, asked.floorIndex)) return;
      this.#broken(asked, answer.elections.map(describeElection), answer.more);
    } else if (answer.type === 'leases') {
      const one = asked.look.type === 'lease' ? asked.look.lease : undefined;
      const window = {
        fromIndex: asked.floorIndex,
        fromClusterTimeMs: asked.floorClusterTimeMs,
        toClusterTimeMs: this.#context.log.clusterTimeMs,
      };
      if (this.#leases.stood(answer, one, window)) return;
      this.#broken(asked, answer.leases.map(describeSeenLease), answer.more);
    }
  }

  #broken(asked: AskedLook, shown: readonly string[], more: boolean): void {
    const { client, operation, look, stale, askedAtMs, floorIndex } = asked;
    const which = `the${stale ? ' stale' : ''} look of ${client} (operation ${operation})`;
    const list = shown.length === 0 ? 'nothing' : shown.join('; ');
    const what = `${which} at ${nameOf(look)} showed ${list}${more ? '; and more' : ''}`;
    const since = `entry ${floorIndex} on, which was applied when it was asked (${at(askedAtMs)})`;
    this.#context.broken('I12', `${what}; it did not stand so at any time from ${since}`);
  }
}

function nameOf(look: Look): string {
  if (look.type === 'election') return look.election;
  return look.type === 'lease' ? `lease ${look.lease}` : `all ${look.type}`;
}
