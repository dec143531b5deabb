/** One copy of a message on its way. */
export interface Packet<Body> {
  readonly id: number;
  readonly from: string;
  readonly to: string;
  readonly body: Body;
  /** True time at which it arrives unless a command delivers it before. */
  readonly dueMs: number;
  /** How this copy came to be: replays may be from before a restart. */
  readonly copy: PacketCopy;
}

export type PacketCopy = 'original' | 'duplicate' | 'replay';

/** What happens to a packet that reaches a cut link: lost, or kept until the link is whole. */
export type CutMode = 'drop' | 'hold';

/** Packets under way at once; beyond it the latest to arrive is lost, as in a full buffer. */
const IN_FLIGHT_MAX = 512;
/** Old packets kept for replay. */
const REPLAY_MAX = 64;

/**
 * The network as a list of copies ordered by arrival. It draws nothing itself: latency, loss and
 * duplication are handed in, so that one place decides them by key.
 */
export class Network<Body> {
  readonly #inFlight: Packet<Body>[] = [];
  readonly #held: Packet<Body>[] = [];
  readonly #sent: Packet<Body>[] = [];
  readonly #cuts = new Map<string, CutMode>();
  #nextId = 0;

  get inFlightCount(): number {
    return this.#inFlight.length;
  }

  get heldCount(): number {
    return this.#held.length;
  }

  get sentCount(): number {
    return this.#sent.length;
  }

  get nextDueMs(): number | undefined {
    return this.#inFlight[0]?.dueMs;
  }

  send(from: string, to: string, body: Body, dueMs: number, copy: PacketCopy = 'original'): void {
    const packet: Packet<Body> = { id: this.#nextId, from, to, body, dueMs, copy };
    this.#nextId += 1;
    if (copy === 'original') {
      this.#sent.push(packet);
      if (this.#sent.length > REPLAY_MAX) this.#sent.shift();
    }
    this.#insert(packet);
  }

  /** Takes the n-th packet by arrival, counted round; undefined when nothing is under way. */
  take(nth: number): Packet<Body> | undefined {
    if (this.#inFlight.length === 0) return undefined;
    return this.#inFlight.splice(nth % this.#inFlight.length, 1)[0];
  }

  /** Takes what has arrived by `nowMs`, one at a time, in order. */
  takeDue(nowMs: number): Packet<Body> | undefined {
    const first = this.#inFlight[0];
    if (first === undefined || first.dueMs > nowMs) return undefined;
    return this.#inFlight.shift();
  }

  /** Sends a second copy of the n-th packet under way. */
  duplicate(nth: number, dueMs: number): void {
    const packet = this.#inFlight[nth % Math.max(1, this.#inFlight.length)];
    if (packet === undefined) return;
    this.send(packet.from, packet.to, packet.body, dueMs, 'duplicate');
  }

  /** Sends the n-th of the last packets ever sent again, whatever became of it. */
  replay(nth: number, dueMs: number): void {
    const packet = this.#sent[nth % Math.max(1, this.#sent.length)];
    if (packet === undefined) return;
    this.send(packet.from, packet.to, packet.body, dueMs, 'replay');
  }

  /** Cuts one direction of a link. */
  cut(from: string, to: string, mode: CutMode): void {
    this.#cuts.set(`${from}>${to}`, mode);
  }

  cutOf(from: string, to: string): CutMode | undefined {
    return this.#cuts.get(`${from}>${to}`);
  }

  /** Keeps a packet that met a cut in hold mode until the network is healed. */
  hold(packet: Packet<Body>): void {
    this.#held.push(packet);
  }

  /** Makes every link whole; what was held arrives at `nowMs`, behind nothing. */
  heal(nowMs: number): void {
    this.#cuts.clear();
    for (const packet of this.#held) this.#insert({ ...packet, dueMs: nowMs });
    this.#held.length = 0;
  }

  clear(): void {
    this.#inFlight.length = 0;
    this.#held.length = 0;
  }

  #insert(packet: Packet<Body>): void {
    let at = this.#inFlight.length;
    while (at > 0 && (this.#inFlight[at - 1]?.dueMs ?? 0) > packet.dueMs) at -= 1;
    this.#inFlight.splice(at, 0, packet);
    if (this.#inFlight.length > IN_FLIGHT_MAX) this.#inFlight.pop();
  }
}
