import type { RandomStream } from '../../world/random.js';
import type { FaultKind } from '../fault-kind.js';
import type { StormProfile } from '../profile.js';

/** What becomes of one frame; times are from its departure. */
export interface FrameFate {
  isLost: boolean;
  delayMs: number;
  /** When a second copy arrives; undefined: there is none. */
  copyDelayMs: number | undefined;
}

/** What the profile says of every link, once for all. */
export interface Climate {
  readonly lowMs: number;
  readonly highMs: number;
  readonly slowMs: number;
  readonly slowPercent: number;
  readonly lossPercent: number;
  readonly duplicatePercent: number;
  readonly reorders: boolean;
}

export function climateOf(profile: StormProfile): Climate {
  const has = (kind: FaultKind): boolean => profile.faults.includes(kind);
  return {
    lowMs: profile.latencyMs[0],
    highMs: profile.latencyMs[1],
    slowMs: profile.slowMs,
    slowPercent: has('delay') ? profile.slowPercent : 0,
    lossPercent: has('drop') ? profile.lossPercent : 0,
    duplicatePercent: has('duplicate') ? profile.duplicatePercent : 0,
    reorders: has('reorder'),
  };
}

/**
 * The chances of one directed link. Every draw is made for every frame, so that the k-th frame
 * reads the same numbers whatever was left out before it on other links.
 */
export class LinkWeather {
  readonly #climate: Climate;
  readonly #draws: RandomStream;
  readonly #onFault: (kind: FaultKind) => void;
  /** Reused: the caller reads it at once. */
  readonly #fate: FrameFate = { isLost: false, delayMs: 0, copyDelayMs: undefined };
  #isCalm = false;

  constructor(climate: Climate, draws: RandomStream, onFault: (kind: FaultKind) => void) {
    this.#climate = climate;
    this.#draws = draws;
    this.#onFault = onFault;
  }

  get reorders(): boolean {
    return this.#climate.reorders && !this.#isCalm;
  }

  becomeCalm(): void {
    this.#isCalm = true;
  }

  /** Of the next frame. Valid until the next call. */
  next(): FrameFate {
    const draws = this.#draws;
    const { lossPercent, duplicatePercent } = this.#climate;
    const fate = this.#fate;
    const isLost = draws.percent(lossPercent);
    const isDoubled = draws.percent(duplicatePercent);
    const delayMs = this.latencyMs();
    const copyDelayMs = draws.between(0, 4 * this.#climate.highMs);
    fate.isLost = isLost && !this.#isCalm;
    fate.delayMs = delayMs;
    fate.copyDelayMs = isDoubled && !isLost && !this.#isCalm ? copyDelayMs : undefined;
    if (fate.isLost) this.#onFault('drop');
    if (fate.copyDelayMs !== undefined) this.#onFault('duplicate');
    return fate;
  }

  latencyMs(): number {
    const draws = this.#draws;
    const { lowMs, highMs, slowMs, slowPercent } = this.#climate;
    const isSlow = draws.percent(slowPercent);
    const share = draws.next();
    if (!isSlow || this.#isCalm) return lowMs + (highMs - lowMs) * share;
    this.#onFault('delay');
    return highMs + slowMs * share;
  }
}
