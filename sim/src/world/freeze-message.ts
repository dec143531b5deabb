import type { Message } from '@raftd/raft';

/**
 * Freezes what crosses the network: sender, receivers and disks share these objects, and a core
 * that changed one would change it for all of them.
 */
export function freezeMessage(message: Message): Message {
  if (Object.isFrozen(message)) return message;
  if (message.type === 'append-request') {
    for (const entry of message.entries) Object.freeze(entry);
    Object.freeze(message.entries);
  }
  return Object.freeze(message);
}
