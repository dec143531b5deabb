const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Bytes in JSON: text where they are UTF-8, otherwise `{ "base64": … }`. */
export type JsonBytes = string | { readonly base64: string };

export function jsonBytes(bytes: Uint8Array): JsonBytes {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return { base64: Buffer.from(bytes).toString('base64') };
  }
}

/** Bytes on a terminal: text where they are UTF-8, otherwise base64 that says so. */
export function shownBytes(bytes: Uint8Array): string {
  const json = jsonBytes(bytes);
  return typeof json === 'string' ? json : `base64:${json.base64}`;
}
