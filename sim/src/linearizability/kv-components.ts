import type { KvOperation, KvTxn } from './kv-operations.js';

export interface Component {
  readonly keys: readonly string[];
  readonly operations: readonly KvOperation[];
}

/**
 * Keys that no transaction touches together are judged each on its own; others by connected
 * component (union-find). In order of first appearance; transactions that touch no key come last.
 */
export function componentsOf(history: readonly KvOperation[]): readonly Component[] {
  const parents = new Map<string, string>();
  for (const { input } of history) {
    if (input.type !== 'txn') {
      if (!parents.has(input.key)) parents.set(input.key, input.key);
      continue;
    }
    const [first, ...rest] = keysOfTxn(input);
    if (first === undefined) continue;
    for (const key of [first, ...rest]) if (!parents.has(key)) parents.set(key, key);
    for (const key of rest) parents.set(rootOf(parents, key), rootOf(parents, first));
  }
  const components = new Map<string, { keys: string[]; operations: KvOperation[] }>();
  for (const key of parents.keys()) {
    const root = rootOf(parents, key);
    const component = components.get(root);
    if (component === undefined) components.set(root, { keys: [key], operations: [] });
    else component.keys.push(key);
  }
  const keyless: KvOperation[] = [];
  for (const operation of history) {
    const { input } = operation;
    const key = input.type === 'txn' ? keysOfTxn(input)[0] : input.key;
    if (key === undefined) keyless.push(operation);
    else components.get(rootOf(parents, key))?.operations.push(operation);
  }
  const others = keyless.length === 0 ? [] : [{ keys: [], operations: keyless }];
  return [...components.values(), ...others];
}

export function keysOfTxn(input: KvTxn): readonly string[] {
  const named = [...input.compare, ...input.then, ...input.else];
  return named.map(({ key }) => key);
}

function rootOf(parents: Map<string, string>, key: string): string {
  const above = parents.get(key);
  if (above === undefined || above === key) return key;
  let root = key;
  for (let parent = parents.get(root); parent !== undefined && parent !== root; ) {
    root = parent;
    parent = parents.get(root);
  }
  // The path is flattened: long chains of keys are walked once.
  for (let at = key; at !== root; ) {
    const parent = parents.get(at) ?? root;
    parents.set(at, root);
    at = parent;
  }
  return root;
}
