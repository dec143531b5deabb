/** Folds a word into a hash; cheap, and each bit of either reaches the high half. */
export function mix(hash: number, word: number): number {
  const mixed = Math.imul(hash ^ word, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}

/** FNV-1a over UTF-16 units. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash;
}

/** Of a number of up to 53 bits. */
export function hashNumber(value: number): number {
  return mix(value | 0, (value / 0x1_0000_0000) | 0);
}

/** The key of one bit in a hash that changes with single bits: added and removed by `^`. */
export function bitKey(bit: number): number {
  let hash = Math.imul(bit + 1, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}
