import type { Exploration } from '../explore/scope.js';
import type { Hunt } from './bug.js';
import { huntByScope } from './hunt-scope.js';
import { huntByStorm } from './hunt-storm.js';
import { loadedModules } from './loaded.js';
import { searchOf, STORMS } from './hunters.js';
import type { HuntMessage, HuntOrders, HuntResult } from './orders.js';

// A process that has a bug in its code (register.js saw to that) and looks whether anyone notices.

process.on('message', (orders: HuntOrders) => {
  hunt(orders).then(
    () => process.disconnect(),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? (error.stack ?? '') : String(error)}\n`);
      process.exit(1);
    },
  );
});

async function hunt(orders: HuntOrders): Promise<void> {
  for (const by of orders.by) {
    for await (const result of resultsOf(by, orders)) {
      assertPlanted(orders.urls);
      tell({ type: 'result', result });
    }
  }
}

async function* resultsOf(by: Hunt, orders: HuntOrders): AsyncGenerator<HuntResult> {
  if (by !== 'storm') {
    const search = (): Exploration => searchOf(by.slice('explore:'.length));
    yield huntByScope(by, search, orders.caughtBy);
    return;
  }
  for (const range of orders.ranges) {
    yield await huntByStorm(STORMS, orders, range, () => {
      tell({ type: 'progress' });
    });
  }
}

function assertPlanted(urls: readonly string[]): void {
  const loaded = loadedModules();
  const missing = urls.filter((url) => !loaded.has(url));
  if (missing.length > 0) throw new Error(`never loaded: ${missing.join(', ')}`);
}

function tell(message: HuntMessage): void {
  process.send?.(message);
}
