import type { StormProfile } from '../storm/profile.js';
import { RandomStream } from '../world/random.js';

/** How long each thing on one way takes, drawn by the way's name and a counter. */
export class Latency {
  readonly #profile: StormProfile;
  readonly #stream: RandomStream;
  #isCalm = false;

  constructor(profile: StormProfile, seed: number, way: string) {
    this.#profile = profile;
    this.#stream = new RandomStream(seed, way);
  }

  /** From now on nothing is slower than usual. */
  becomeCalm(): void {
    this.#isCalm = true;
  }

  /** Both draws are made every time: the k-th thing on a way reads the same numbers always. */
  nextMs(): number {
    const { latencyMs, slowPercent, slowMs } = this.#profile;
    const [low, high] = latencyMs;
    const isSlow = this.#stream.percent(slowPercent) && !this.#isCalm;
    const share = this.#stream.next();
    return isSlow ? high + share * slowMs : low + share * (high - low);
  }
}
