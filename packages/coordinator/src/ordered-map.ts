import sortedBtree from 'sorted-btree';

/** A map in code-unit order of its keys: byte order for byte strings. `clone()` is O(1). */
export type OrderedMap<K extends string, V> = InstanceType<typeof sortedBtree.default<K, V>>;

/**
 * sorted-btree is CommonJS with `exports.default`: native ESM hands over the exports object, a
 * loader that honours `__esModule` (the test runner's) the class itself.
 */
const loaded: unknown = sortedBtree;
const BTree = (
  typeof loaded === 'function' ? loaded : sortedBtree.default
) as typeof sortedBtree.default;

/** Explicit, because the library's default comparator asks for types on every call. */
function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function createOrderedMap<K extends string, V>(): OrderedMap<K, V> {
  return new BTree<K, V>(undefined, byCodeUnits);
}
