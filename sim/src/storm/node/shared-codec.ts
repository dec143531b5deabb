import { commandCodec } from '@raftd/protocol';
import type { CommandCodec } from '@raftd/protocol';

type Logged = ReturnType<CommandCodec['decode']>;

/**
 * The codec of the log for all nodes of one storm: bytes that are the same object are read once.
 * A node that starts applies its whole log again, and three nodes share the entries of one; what
 * is decoded is never written to, as the machine's contract says.
 */
export function createSharedCodec(): CommandCodec {
  const known = new Map<Uint8Array, Logged>();
  return {
    encode: (command) => commandCodec.encode(command),
    decode: (payload) => {
      const earlier = known.get(payload);
      if (earlier !== undefined) return earlier;
      const decoded = commandCodec.decode(payload);
      known.set(payload, decoded);
      return decoded;
    },
  };
}
