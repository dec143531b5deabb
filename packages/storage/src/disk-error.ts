import { damaged, StorageError } from './storage-error.js';

const UNWRITABLE_CODES: ReadonlySet<string> = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOTDIR',
  'EEXIST',
  'EISDIR',
  'ELOOP',
  'ENAMETOOLONG',
]);
const UNWRITABLE_TEXT = /permission denied|read-only file system|not a directory|not permitted/i;
/** What LevelDB says of a database, or a part of one, that is gone or cut short. */
const LOSS_TEXT = /does not exist|no such file|missing files|\.ldb: invalid argument/i;
const FULL_TEXT = /no space left|quota exceeded|file too large/i;

/** The error to report for whatever LevelDB or the file system threw. `doing`: at what. */
export function diskError(cause: unknown, doing: string): StorageError {
  if (cause instanceof StorageError) return cause;
  const { code, text } = rootOf(cause);
  const fact = `${doing}: ${text}`;
  if (code === 'LEVEL_LOCKED') {
    return new StorageError(
      'DATA_LOCKED',
      `${fact}. Another process uses this data directory: stop it, or choose another directory`,
      { cause },
    );
  }
  if (code === 'LEVEL_CORRUPTION' || LOSS_TEXT.test(text)) return damaged(fact, cause);
  if (code === 'ENOSPC' || code === 'EDQUOT' || FULL_TEXT.test(text)) {
    return new StorageError('DISK_FULL', `${fact}. Make room on the disk, then start again`, {
      cause,
    });
  }
  if (UNWRITABLE_CODES.has(code) || UNWRITABLE_TEXT.test(text)) {
    return new StorageError(
      'DATA_UNWRITABLE',
      `${fact}. Make the data directory writable for this process, or choose another one`,
      { cause },
    );
  }
  return new StorageError('DISK_FAILED', `${fact}. Check the disk before starting again`, {
    cause,
  });
}

/** LevelDB's binding wraps: the error that says most is the innermost. */
function rootOf(error: unknown): { readonly code: string; readonly text: string } {
  if (!(error instanceof Error)) return { code: '', text: String(error) };
  if (error.cause instanceof Error) return rootOf(error.cause);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return { code, text: error.message };
}
