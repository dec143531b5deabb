import type { ClientCommand, CommandCodec, LoggedCommand, Stamp } from '@raftd/coordinator';
import { packClientCommand, readClientCommand } from './client-commands.js';
import { type Decoded, decoding, exceeded, invalid } from './decoded.js';
import { taggedRow } from './fields.js';
import { UNLIMITED, type WireLimits } from './limits.js';
import { pack, retain, unpack } from './pack.js';
import { packSystemCommand, readSystemCommand } from './system-commands.js';
import { SYSTEM_COMMAND_FIRST } from './tags.js';
import type { ShapeBounds } from './wire-shape.js';

/** The bytes of a command entry. The same command has the same bytes, always. */
export function encodeCommand(logged: LoggedCommand): Uint8Array {
  if (logged.stamp === undefined) return retain(pack(packSystemCommand(logged.command)));
  return retain(pack(packClientCommand(logged.stamp, logged.command)));
}

/** A client's command as bytes: what travels in a `command` request and is logged as it is. */
export function encodeClientCommand(stamp: Stamp, command: ClientCommand): Uint8Array {
  return encodeCommand({ stamp, command });
}

/** Any command of the log, the leader's own included. */
export function decodeCommand(
  payload: Uint8Array,
  limits: WireLimits = UNLIMITED,
): Decoded<LoggedCommand> {
  return decoding(() => {
    const fields = unpackCommand(payload, limits);
    if (isSystem(fields)) return { stamp: undefined, command: readSystemCommand(fields) };
    return readClientCommand(fields, limits);
  });
}

/** A command as a client may send it, within the limits. Throws `DecodeFault`. */
export function readClientPayload(payload: Uint8Array, limits: WireLimits): LoggedCommand {
  const fields = unpackCommand(payload, limits);
  if (isSystem(fields)) {
    throw invalid('command', 'is of the kind that only a leader may propose');
  }
  return readClientCommand(fields, limits);
}

function isSystem(fields: readonly unknown[]): boolean {
  return typeof fields[0] === 'number' && fields[0] >= SYSTEM_COMMAND_FIRST;
}

/** Deepest: a transaction's operation; the widest: all renewals of a client, or a transaction. */
const COMMAND_DEPTH_MAX = 4;

function unpackCommand(payload: Uint8Array, limits: WireLimits): readonly unknown[] {
  if (payload.length > limits.txnBytesMax) {
    throw exceeded('command', limits.txnBytesMax, payload.length);
  }
  const valuesMax = 16 + 3 * limits.renewalsMax + 16 * limits.txnOperationsMax;
  const bounds: ShapeBounds = { depthMax: COMMAND_DEPTH_MAX, valuesMax };
  return taggedRow(unpack(payload, 'command', bounds), 'command');
}

const validated = new WeakMap<Uint8Array, LoggedCommand>();

/**
 * Remembers what a payload was found to say when it was validated at the door, so that apply on
 * the same node need not read it again. Only ever what a decoder returned: a replica without the
 * memory reads the same.
 */
export function rememberValidated(payload: Uint8Array, logged: LoggedCommand): void {
  validated.set(payload, logged);
}

/**
 * The coordinator's view of the log. `decode` uses no limits, since replicas with different ones
 * must read the same, and throws on what it does not know: the node stops, it never skips.
 */
export const commandCodec: CommandCodec = {
  encode: encodeCommand,
  decode(payload: Uint8Array): LoggedCommand {
    const known = validated.get(payload);
    if (known !== undefined) {
      // An entry is applied once; the log keeps its payload for long after.
      validated.delete(payload);
      return known;
    }
    const decoded = decodeCommand(payload);
    if (decoded.ok) return decoded.value;
    throw new Error(`entry cannot be read: ${decoded.error.message}`);
  },
};
