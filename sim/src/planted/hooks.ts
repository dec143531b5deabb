import type { InitializeHook, LoadHook } from 'node:module';
import type { Patch } from './patch.js';

/** Runs in the thread of the module loader: nothing of the simulator is here. */
let sources: ReadonlyMap<string, string> = new Map();

export const initialize: InitializeHook<Patch> = (patch) => {
  sources = new Map(patch);
};

export const load: LoadHook = async (url, context, nextLoad) => {
  const source = sources.get(url);
  if (source === undefined) return nextLoad(url, context);
  return { format: 'module', source, shortCircuit: true };
};
