/** Salts of the four words of a hash: any that differ. */
const SALTS = [0x811c9dc5, 0x9e3779b9, 0x85ebca6b, 0xc2b2ae35] as const;

/** 128 bits of a text as hexadecimal digits: enough where nobody looks for collisions. */
export function clusterHash(text: string): string {
  return SALTS.map((salt) => word(text, salt)).join('');
}

function word(text: string, salt: number): string {
  let hash = salt;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    hash ^= hash >>> 15;
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}
