import type { WorldProfile } from './profile.js';
import { RandomStream } from './random.js';

/** What the world does to one message on one link. */
export interface MessageFate {
  readonly lost: boolean;
  readonly latencyMs: number;
  /** Latency of a second copy, if there is one. */
  readonly copyLatencyMs: number | undefined;
}

/**
 * The small decisions of a world, each drawn from its own stream: a link's k-th message, a
 * disk's k-th write. A calm weather keeps latencies and stops losses, for liveness.
 */
export class Weather {
  readonly #profile: WorldProfile;
  readonly #streams = new Map<string, RandomStream>();
  #calm = false;

  constructor(profile: WorldProfile) {
    this.#profile = profile;
  }

  /** From now on messages are neither lost, doubled nor slow, and disks work as usual. */
  becomeCalm(): void {
    this.#calm = true;
  }

  fateOf(from: string, to: string): MessageFate {
    const stream = this.stream(`link/${from}/${to}`);
    const { lossPercent, duplicatePercent } = this.#profile;
    // Every draw is made every time: the k-th message of a link reads the same numbers always.
    const lost = stream.percent(lossPercent);
    const doubled = stream.percent(duplicatePercent);
    const latencyMs = this.#latencyMs(stream);
    const copyLatencyMs = this.#latencyMs(stream);
    return {
      lost: lost && !this.#calm,
      latencyMs,
      copyLatencyMs: doubled && !this.#calm ? copyLatencyMs : undefined,
    };
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
