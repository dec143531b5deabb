import type { StormEvent } from '../storm/events.js';
import { describeCall, describeOutcome } from './describe-call.js';
import type { Span, SpanType } from './picture.js';

interface OpenSpan {
  readonly type: SpanType;
  readonly lane: string;
  readonly fromIndex: number;
  readonly term: number;
  readonly words: string;
}

/** What lasts: roles, crashes, freezes, cuts, calls, leaderships. */
export class Spans {
  readonly #open = new Map<string, OpenSpan>();
  readonly #closed: Span[] = [];

  see(event: StormEvent, index: number): void {
    switch (event.type) {
      case 'stepped':
        this.#seeRole(event, index);
        return;
      case 'crashed':
      case 'node-ended':
      case 'node-refused':
        this.#close(`role ${event.node}`, index);
        this.#close(`frozen ${event.node}`, index);
        this.#start(`down ${event.node}`, { type: 'down', lane: event.node, words: 'down' }, index);
        return;
      case 'restarted':
        this.#close(`down ${event.node}`, index);
        return;
      case 'frozen':
        this.#start(
          `frozen ${event.node}`,
          { type: 'frozen', lane: event.node, words: 'frozen' },
          index,
        );
        return;
      case 'thawed':
        this.#close(`frozen ${event.node}`, index);
        return;
      case 'rewired':
        this.#close('cut', index);
        if (event.cuts.length > 0) {
          const words = `cut ${event.cuts.join(' ')}`;
          this.#start('cut', { type: 'cut', lane: '', words }, index);
        }
        return;
      default:
        this.#seeClient(event, index);
    }
  }

  /** Those that touch the events from `first` on. */
  since(first: number): readonly Span[] {
    const open = [...this.#open.values()].map((span) => ({
      ...span,
      toIndex: undefined,
      outcome: 'open',
    }));
    return [...this.#closed.filter(({ toIndex }) => (toIndex ?? first) >= first), ...open];
  }

  #seeRole(event: Extract<StormEvent, { type: 'stepped' }>, index: number): void {
    const { node, after } = event;
    const key = `role ${node}`;
    const open = this.#open.get(key);
    if (open?.type === after.role && open.term === after.term) return;
    this.#close(key, index);
    const words = `${after.role} of term ${after.term}`;
    this.#start(key, { type: after.role, lane: node, term: after.term, words }, index);
  }

  #seeClient(event: StormEvent, index: number): void {
    switch (event.type) {
      case 'client-killed':
      case 'client-frozen': {
        const type = event.type === 'client-killed' ? 'down' : 'frozen';
        const words = type === 'down' ? 'killed' : 'frozen';
        this.#start(`${type} ${event.client}`, { type, lane: event.client, words }, index);
        return;
      }
      case 'client-started':
        this.#close(`down ${event.client}`, index);
        this.#close(`frozen ${event.client}`, index);
        return;
      case 'client-thawed':
        this.#close(`frozen ${event.client}`, index);
        return;
      case 'operation-invoked': {
        const words = `#${event.operation} ${describeCall(event.call)}`;
        const span = { type: 'operation', lane: event.client, words } as const;
        this.#start(`operation ${event.operation}`, span, index);
        return;
      }
      case 'operation-returned': {
        const { outcome } = event;
        const verdict = outcome.type === 'answered' ? 'answered' : outcome.class;
        this.#close(`operation ${event.operation}`, index, verdict, describeOutcome(outcome));
        return;
      }
      case 'leadership-won': {
        const words = `leads ${event.election}, token ${event.token}`;
        const key = `leads ${event.client} ${event.token}`;
        this.#start(key, { type: 'leads', lane: event.client, words }, index);
        return;
      }
      case 'leadership-ended':
        this.#close(`leads ${event.client} ${event.token}`, index);
        return;
      default:
    }
  }

  #start(
    key: string,
    span: Pick<OpenSpan, 'type' | 'lane' | 'words'> & { readonly term?: number },
    index: number,
  ): void {
    if (this.#open.has(key)) return;
    this.#open.set(key, { ...span, term: span.term ?? 0, fromIndex: index });
  }

  #close(key: string, index: number, outcome = '', more = ''): void {
    const open = this.#open.get(key);
    if (open === undefined) return;
    this.#open.delete(key);
    const words = more === '' ? open.words : `${open.words} … ${more}`;
    this.#closed.push({ ...open, words, outcome, toIndex: index });
  }
}
