import type { Call, Lane } from './call.js';

/** `again`: sent before, to be sent anew with the same bytes; the rest never left. */
type Line = 'again' | 'query' | 'stale' | 'vital' | Lane;

/** Calls without a connection to go to, in the order in which they came. */
export class WaitingCalls {
  readonly #lines: Readonly<Record<Line, Set<Call>>> = {
    again: new Set(),
    query: new Set(),
    stale: new Set(),
    vital: new Set(),
    control: new Set(),
    data: new Set(),
  };

  get size(): number {
    const { again, query, stale, vital, control, data } = this.#lines;
    return again.size + query.size + stale.size + vital.size + control.size + data.size;
  }

  /** Commands that were never sent: they wait for a leader or for a session. */
  get unsent(): boolean {
    const { vital, control, data } = this.#lines;
    return vital.size > 0 || control.size > 0 || data.size > 0;
  }

  /** Others wait where this one would. */
  hasBefore(call: Call): boolean {
    return this.#lines[lineOf(call)].size > 0;
  }

  add(call: Call): void {
    this.#lines[lineOf(call)].add(call);
  }

  delete(call: Call): void {
    this.#lines[lineOf(call)].delete(call);
  }

  /** In order, until `send` says that it could not. */
  drain(line: Line, send: (call: Call) => boolean): void {
    const calls = this.#lines[line];
    for (const call of calls) {
      if (!send(call)) return;
      calls.delete(call);
    }
  }
}

function lineOf({ body, request, vital }: Call): Line {
  if (body.type === 'query') return body.consistency === 'stale' ? 'stale' : 'query';
  if (request !== undefined) return 'again';
  return vital ? 'vital' : body.lane;
}
