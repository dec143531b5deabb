import type { Message } from '@raftd/raft';
import type { StormEvent } from '../storm/events.js';
import type { FaultKind } from '../storm/fault-kind.js';
import type { Kind } from './picture.js';

/** These happen all the time, to single messages. */
const OF_ONE_MESSAGE: ReadonlySet<FaultKind> = new Set(['drop', 'duplicate', 'reorder', 'delay']);

/** Under which switch of the drawing an event stands. */
export function kindOf(event: StormEvent): Kind {
  switch (event.type) {
    case 'sent':
    case 'delivered':
    case 'lost':
      return isHeartbeat(event.message) ? 'heartbeat' : 'message';
    case 'write-started':
    case 'write-done':
      return 'disk';
    case 'applied':
    case 'machine-applied':
      return 'apply';
    case 'stepped':
    case 'proposed':
    case 'read-answered':
      return 'state';
    case 'commanded':
      // What clients are told shows in what they do.
      return event.command.type === 'operate' ? 'client' : 'told';
    case 'fault-injected':
      return OF_ONE_MESSAGE.has(event.kind) ? 'message' : 'told';
    case 'rewired':
    case 'phase':
      return 'told';
    case 'crashed':
    case 'restarted':
    case 'frozen':
    case 'thawed':
    case 'node-ended':
    case 'node-refused':
    case 'tail-cut':
      return 'life';
    default:
      return 'client';
  }
}

export function isHeartbeat(message: Message): boolean {
  return message.type === 'heartbeat' || message.type === 'heartbeat-response';
}
