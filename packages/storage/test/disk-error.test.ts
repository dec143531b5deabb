import { describe, expect, it } from 'vitest';
import { diskError } from '../src/disk-error.js';
import { StorageError } from '../src/index.js';

function coded(code: string, message: string, cause?: Error): Error {
  return Object.assign(new Error(message, { cause }), { code });
}

describe('the error for what a disk or LevelDB says', () => {
  const cases: readonly [Error, string][] = [
    [coded('ENOSPC', 'ENOSPC: no space left on device, write'), 'DISK_FULL'],
    [coded('EDQUOT', 'EDQUOT: disk quota exceeded, write'), 'DISK_FULL'],
    [coded('LEVEL_IO_ERROR', 'IO error: /d/000003.log: No space left on device'), 'DISK_FULL'],
    [coded('EIO', 'EIO: i/o error, fdatasync'), 'DISK_FAILED'],
    [coded('LEVEL_IO_ERROR', 'IO error: /d/000003.log: Input/output error'), 'DISK_FAILED'],
    [coded('EACCES', 'EACCES: permission denied, mkdir'), 'DATA_UNWRITABLE'],
    [coded('EROFS', 'EROFS: read-only file system, mkdir'), 'DATA_UNWRITABLE'],
    [coded('LEVEL_IO_ERROR', 'IO error: /d/LOCK: Permission denied'), 'DATA_UNWRITABLE'],
    [coded('LEVEL_LOCKED', 'IO error: lock /d/LOCK: already held by process'), 'DATA_LOCKED'],
    [coded('LEVEL_CORRUPTION', 'Corruption: checksum mismatch'), 'DATA_DAMAGED'],
    [coded('LEVEL_IO_ERROR', 'IO error: /d/000005.ldb: Invalid argument'), 'DATA_DAMAGED'],
  ];

  it.each(cases)('%s: %s', (cause, code) => {
    const direct = diskError(cause, 'writing');
    expect(direct.code).toBe(code);
    expect(direct.cause).toBe(cause);
    expect(direct.message).toContain('writing: ');
    const wrapped = coded('LEVEL_DATABASE_NOT_OPEN', 'Database failed to open', cause);
    expect(diskError(wrapped, 'opening').code).toBe(code);
  });

  it('is the error itself where it has been named already', () => {
    const named = new StorageError('DISK_FULL', 'full');
    expect(diskError(named, 'writing')).toBe(named);
  });

  it('says what was thrown even if that is no error', () => {
    expect(diskError('odd', 'writing').message).toMatch(/^writing: odd\./);
  });
});
