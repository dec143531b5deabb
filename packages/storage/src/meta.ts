import { crc32 } from 'node:zlib';
import type { ClusterIdentity, Member, NodeId } from '@raftd/raft';

/** Raised when a version writes what an older one would misread. */
export const FORMAT_VERSION = 1;

/** Whose directory this is; written once, by its first batch. */
export interface Meta {
  readonly format: number;
  readonly nodeId: NodeId;
  readonly incarnation: string;
}

/** JSON after a CRC-32 of it: written once, so people may as well be able to read it. */
export function encodeDocument(document: Meta | ClusterIdentity): Buffer {
  const text = Buffer.from(JSON.stringify(document), 'utf8');
  const bytes = Buffer.allocUnsafe(4 + text.length);
  bytes.writeUInt32BE(crc32(text), 0);
  bytes.set(text, 4);
  return bytes;
}

/** Never 0, which the seal keeps for "no identity stored". */
export function identityChecksum(encoded: Uint8Array): number {
  return crc32(encoded) || 1;
}

export function decodeMeta(bytes: Uint8Array): Meta | undefined {
  const value = decodeDocument(bytes);
  if (!isRecord(value)) return undefined;
  const { format, nodeId, incarnation } = value;
  if (typeof format !== 'number' || typeof nodeId !== 'string') return undefined;
  if (typeof incarnation !== 'string') return undefined;
  return { format, nodeId: nodeId as NodeId, incarnation };
}

export function decodeIdentity(bytes: Uint8Array): ClusterIdentity | undefined {
  const value = decodeDocument(bytes);
  if (!isRecord(value)) return undefined;
  const { clusterId, members } = value;
  if (typeof clusterId !== 'string' || !Array.isArray(members)) return undefined;
  return members.every(isMember) ? { clusterId, members } : undefined;
}

function decodeDocument(bytes: Uint8Array): unknown {
  if (bytes.length < 4) return undefined;
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = source.subarray(4);
  if (crc32(text) !== source.readUInt32BE(0)) return undefined;
  return JSON.parse(text.toString('utf8')) as unknown;
}

function isMember(value: unknown): value is Member {
  if (!isRecord(value)) return false;
  return typeof value['id'] === 'string' && typeof value['incarnation'] === 'string';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
