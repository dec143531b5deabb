import type { WorldProfile } from './profile.js';
import { RandomStream } from './random.js';

/** What the world does to one message on one link. */
export interface MessageFate {
  readonly lost: boolean;
  readonly arrivesMs: number;
  /** When a second copy arrives, if there is one. */
  readonly copyArrivesMs: number | undefined;
}

/**
 * The small decisions of a world, each drawn from its own stream: a link's k-th message, a
 * disk's k-th write. A calm weather keeps latencies and stops losses, for liveness.
 */
export class Weather {
  readonly #profile: WorldProfile;
  /** By link, when its latest message arrives. */
  readonly #arrivalsMs = new Map<string, number>();
  readonly #streams = new Map<string, RandomStream>();
  #calm = false;

  constructor(profile: WorldProfile) {
    this.#profile = profile;
  }

  /** From now on messages are neither lost, doubled nor slow, and disks work as usual. */
  becomeCalm(): void {
    this.#calm = true;
  }

  fateOf(from: string, to: string, sentMs: number): MessageFate {
    const link = `link/${from}/${to}`;
    const stream = this.stream(link);
    const { lossPercent, duplicatePercent, inOrder } = this.#profile;
    // Every draw is made every time: the k-th message of a link reads the same numbers always.
    const isLost = stream.percent(lossPercent) && !this.#calm;
    const isDoubled = stream.percent(duplicatePercent) && !this.#calm;
    const drawnMs = sentMs + this.#latencyMs(stream);
    const copyMs = sentMs + this.#latencyMs(stream);
    const arrivesMs = inOrder ? Math.max(drawnMs, this.#arrivalsMs.get(link) ?? 0) : drawnMs;
    if (!isLost) this.#arrivalsMs.set(link, arrivesMs);
    return { lost: isLost, arrivesMs, copyArrivesMs: isDoubled ? copyMs : undefined };
  }

  writeMs(node: string): number {
    const [low, high] = this.#profile.writeMs;
    return this.stream(`disk/${node}`).between(low, high);
  }

  stream(name: string): RandomStream {
    const known = this.#streams.get(name);
    if (known !== undefined) return known;
    const stream = new RandomStream(this.#profile.seed, name);
    this.#streams.set(name, stream);
    return stream;
  }

  #latencyMs(stream: RandomStream): number {
    const { latencyMs, slowPercent, slowMs } = this.#profile;
    const slow = stream.percent(slowPercent);
    const usual = stream.between(latencyMs[0], latencyMs[1]);
    const long = stream.between(latencyMs[1], latencyMs[1] + slowMs);
    return slow && !this.#calm ? long : usual;
  }
}
