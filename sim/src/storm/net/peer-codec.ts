import { decodePeerFrame, DEFAULT_WIRE_LIMITS, encodePeerFrame } from '@raftd/protocol';
import type { PeerHello } from '@raftd/protocol';
import type { Message } from '@raftd/raft';

/** As the other side reads the bytes. */
export function messagesAcross(messages: readonly Message[]): readonly Message[] {
  const bytes = encodePeerFrame({ type: 'peer-messages', messages });
  const decoded = decodePeerFrame(bytes, DEFAULT_WIRE_LIMITS);
  if (decoded.ok && decoded.value.type === 'peer-messages') return decoded.value.messages;
  throw new Error('peer messages do not survive their codec');
}

/** As the other side reads the bytes. */
export function helloAcross(hello: PeerHello): PeerHello {
  const decoded = decodePeerFrame(encodePeerFrame(hello), DEFAULT_WIRE_LIMITS);
  if (decoded.ok && decoded.value.type === 'peer-hello') return decoded.value;
  throw new Error('a hello does not survive its codec');
}
