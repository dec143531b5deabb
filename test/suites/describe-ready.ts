import {
  describeMessage,
  describeSpan,
  type HardState,
  type LogWrite,
  type Ready,
} from '@raftd/raft';

/** All of it in one line; parts that are empty are left out. */
export function describeReady(ready: Ready): string {
  const parts: string[] = [];
  if (ready.write !== undefined) parts.push(`write ${describeWrite(ready.write)}`);
  if (ready.messages.length > 0) {
    parts.push(`send [${ready.messages.map(describeMessage).join(', ')}]`);
  }
  if (ready.messagesAfterWrite.length > 0) {
    parts.push(`then [${ready.messagesAfterWrite.map(describeMessage).join(', ')}]`);
  }
  if (ready.committed.length > 0) parts.push(`apply ${describeSpan(ready.committed)}`);
  for (const read of ready.confirmedReads) parts.push(`read ${read.readId} at ${read.index}`);
  for (const readId of ready.abortedReads) parts.push(`read ${readId} aborted`);
  return parts.join('; ');
}

function describeWrite(write: LogWrite): string {
  const parts: string[] = [];
  if (write.hardState !== undefined) parts.push(describeHardState(write.hardState));
  if (write.truncateFrom !== undefined) parts.push(`truncate from ${write.truncateFrom}`);
  if (write.entries.length > 0) parts.push(`entries ${describeSpan(write.entries)}`);
  return `{${parts.join(', ')}}`;
}

function describeHardState(hardState: HardState): string {
  const { term, votedFor, promiseMs } = hardState;
  const promise = promiseMs > 0 ? ` promise ${promiseMs} ms` : '';
  return `term ${term} vote ${votedFor ?? 'none'}${promise}`;
}
