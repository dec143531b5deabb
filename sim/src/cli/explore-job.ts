import type { Exploration, ScopeName } from '../explore/index.js';
import { exploreScope } from '../explore/index.js';

export interface ExploreJob {
  readonly scope: ScopeName;
  readonly size: 'ci' | 'large';
}

export interface Explored {
  readonly exploration: Exploration;
  readonly wallMs: number;
}

export function exploreJob({ scope, size }: ExploreJob): Explored {
  const startedMs = performance.now();
  const exploration = exploreScope(scope, size);
  return { exploration, wallMs: performance.now() - startedMs };
}
