/** Structural equality of plain data, arrays and bytes; cheap where parts are the same object. */
export function isSameContent(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object') return false;
  if (one === null || other === null) return false;
  if (one instanceof Uint8Array) return other instanceof Uint8Array && isSameBytes(one, other);
  if (Array.isArray(one)) return Array.isArray(other) && isSameList(one, other);
  return isSameRecord(one as PlainRecord, other as PlainRecord);
}

export function isSameBytes(one: Uint8Array, other: Uint8Array): boolean {
  if (one === other) return true;
  if (one.length !== other.length) return false;
  for (let position = 0; position < one.length; position += 1) {
    if (one[position] !== other[position]) return false;
  }
  return true;
}

type PlainRecord = Readonly<Record<string, unknown>>;

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false;
  for (let position = 0; position < one.length; position += 1) {
    if (!isSameContent(one[position], other[position])) return false;
  }
  return true;
}

/** A field that is absent equals one that is undefined. */
function isSameRecord(one: PlainRecord, other: PlainRecord): boolean {
  for (const field in one) if (!isSameContent(one[field], other[field])) return false;
  for (const field in other) if (!(field in one) && other[field] !== undefined) return false;
  return true;
}
