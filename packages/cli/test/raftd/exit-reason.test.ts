import { NodeFault } from '@raftd/server';
import { StorageError } from '@raftd/storage';
import { expect, test } from 'vitest';
import { describeExit, exitReason } from '../../src/raftd/exit-reason.js';
import { ListenFailure } from '../../src/raftd/listen-failure.js';
import { UsageError } from '../../src/raftd/usage-error.js';

const inUse = new ListenFailure({ code: 'ADDRESS_IN_USE', message: '127.0.0.1:1 is in use' });

test.each([
  { error: new UsageError('UNKNOWN_FLAG', 'x'), exitCode: 2, name: 'UNKNOWN_FLAG' },
  { error: inUse, exitCode: 10, name: 'ADDRESS_IN_USE' },
  { error: new StorageError('DATA_LOCKED', 'x'), exitCode: 10, name: 'DATA_LOCKED' },
  { error: new StorageError('DATA_DAMAGED', 'x'), exitCode: 11, name: 'DATA_DAMAGED' },
  { error: new StorageError('DATA_UNWRITABLE', 'x'), exitCode: 12, name: 'DATA_UNWRITABLE' },
  { error: new StorageError('DATA_OF_OTHER_NODE', 'x'), exitCode: 13, name: 'DATA_OF_OTHER_NODE' },
  { error: new NodeFault('WRONG_IDENTITY', 'x'), exitCode: 13, name: 'WRONG_IDENTITY' },
  { error: new NodeFault('APPLY_FAILED', 'x'), exitCode: 1, name: 'APPLY_FAILED' },
  {
    error: new NodeFault('STORAGE_FAILED', 'x', new StorageError('DISK_FULL', 'full')),
    exitCode: 12,
    name: 'DISK_FULL',
  },
  { error: new NodeFault('STORAGE_FAILED', 'x'), exitCode: 12, name: 'STORAGE_FAILED' },
  { error: new TypeError('a bug'), exitCode: 1, name: 'INTERNAL' },
  { error: 'not even an error', exitCode: 1, name: 'INTERNAL' },
])('$name ends the process with $exitCode', ({ error, exitCode, name }) => {
  expect(exitReason(error)).toMatchObject({ exitCode, name });
});

test('an error is one line, whatever its message', () => {
  const reason = exitReason(new Error('first\n  second'));
  expect(describeExit(reason)).toBe('raftd: INTERNAL: first second\n');
});
