import type { MemberAddress } from '@raftd/protocol';
import type { NodeId } from '@raftd/raft';
import { UsageError } from './usage-error.js';

export interface HostPort {
  readonly host: string;
  readonly port: number;
}

/** Ids appear in file names, logs and tables: short and plain. */
export const NODE_ID_PATTERN: RegExp = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/** `HOST:PORT`, `[IPv6]:PORT`; undefined when it is neither. */
export function parseHostPort(text: string): HostPort | undefined {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:/[\]]+)):(\d{1,5})$/.exec(text.trim());
  if (match === null) return undefined;
  const host = match[1] ?? match[2];
  const port = Number(match[3]);
  return host === undefined || port < 1 || port > 65_535 ? undefined : { host, port };
}

/** `n1=10.0.0.1:7400,n2=…` → the members, in order; throws what is wrong with which part. */
export function parsePeers(text: string): readonly MemberAddress[] {
  const members: MemberAddress[] = [];
  for (const part of text.split(',')) {
    const member = parsePeer(part.trim());
    if (members.some(({ id }) => id === member.id)) {
      throw new UsageError('INVALID_PEERS', `--peers: ${member.id} is listed twice`);
    }
    if (members.some(({ address }) => address === member.address)) {
      throw new UsageError('INVALID_PEERS', `--peers: ${member.address} is listed twice`);
    }
    members.push(member);
  }
  return members;
}

function parsePeer(part: string): MemberAddress {
  const [id = '', address = ''] = part.split('=', 2);
  if (!NODE_ID_PATTERN.test(id) || parseHostPort(address) === undefined) {
    const message =
      `--peers: "${part}" is not ID=HOST:PORT; ` +
      'write every node of the cluster, such as n1=10.0.0.1:7400,n2=10.0.0.2:7400';
    throw new UsageError('INVALID_PEERS', message);
  }
  return { id: id as NodeId, address };
}
