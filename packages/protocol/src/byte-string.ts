import type { ByteString } from '@raftd/coordinator';

/**
 * Keys are bytes on the wire and a string of one character (0–255) a byte in memory: such strings
 * compare in byte order and serve as map keys.
 */
export function byteString(bytes: Uint8Array): ByteString {
  const { buffer, byteOffset, byteLength } = bytes;
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1') as ByteString;
}

/** The bytes of a key. Throws where a character stands for no byte: it is not a `ByteString`. */
export function bytesOf(text: ByteString): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let position = 0; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    if (code > 0xff) throw new RangeError(`character ${position} of a byte string is ${code}`);
    bytes[position] = code;
  }
  return bytes;
}

/** What people write as a key: its UTF-8 bytes. */
export function utf8ByteString(text: string): ByteString {
  return Buffer.from(text, 'utf8').toString('latin1') as ByteString;
}

/** First key after all that start with `prefix`; undefined: they reach to the last key. */
export function prefixEnd(prefix: ByteString): ByteString | undefined {
  for (let last = prefix.length - 1; last >= 0; last -= 1) {
    const code = prefix.charCodeAt(last);
    if (code < 0xff) {
      return (prefix.slice(0, last) + String.fromCharCode(code + 1)) as ByteString;
    }
  }
  return undefined;
}
