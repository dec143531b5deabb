import { isErrorCode } from './error-table.js';
import type { ErrorBody } from './errors.js';
import { invalid } from './decoded.js';
import { list, row, text } from './fields.js';

const ANY = Number.MAX_SAFE_INTEGER;
const DETAILS_MAX = 32;

/** `[code, message, [[name, value], …]]`: pairs, so that no name can reach a prototype. */
export function packError(error: ErrorBody): readonly unknown[] {
  return [error.code, error.message, Object.entries(error.details)];
}

export function readError(value: unknown): ErrorBody {
  const fields = row(value, 'error', 3);
  const code = text(fields[0], 'code', ANY);
  if (!isErrorCode(code)) throw invalid('code', 'is no error code of this version');
  const details = list(fields[2], 'details', DETAILS_MAX, readDetail);
  return { code, message: text(fields[1], 'message', ANY), details: Object.fromEntries(details) };
}

function readDetail(value: unknown): readonly [string, string | number | boolean] {
  const [name, detail] = row(value, 'detail', 2);
  if (typeof detail !== 'string' && typeof detail !== 'number' && typeof detail !== 'boolean') {
    throw invalid('detail', 'must be text, a number or a boolean');
  }
  return [text(name, 'name', ANY), detail];
}
