import type { ClusterIdentity, Member, NodeId, Term } from '@raftd/raft';
import { list, name, natural, row, text } from './fields.js';
import type { LeaderHint, MemberAddress } from './frames.js';

/** Who is in the cluster and where. Names of nodes and addresses have one bound for all. */
const NAME_CHARS_MAX = 512;
const MEMBERS_MAX = 1024;

export function nodeId(value: unknown, field: string): NodeId {
  return name<NodeId>(value, field, NAME_CHARS_MAX);
}

export function clusterName(value: unknown, field: string): string {
  return text(value, field, NAME_CHARS_MAX);
}

export function packAddress(member: MemberAddress): readonly unknown[] {
  return [member.id, member.address];
}

export function packAddresses(members: readonly MemberAddress[]): readonly unknown[] {
  return members.map(packAddress);
}

export function readAddresses(value: unknown): readonly MemberAddress[] {
  return list(value, 'members', MEMBERS_MAX, (item) => {
    const fields = row(item, 'member', 2);
    return { id: nodeId(fields[0], 'id'), address: text(fields[1], 'address', NAME_CHARS_MAX) };
  });
}

export function packLeaderHint(hint: LeaderHint | undefined): readonly unknown[] | undefined {
  return hint === undefined ? undefined : [hint.term, hint.id, hint.address];
}

export function readLeaderHint(value: unknown): LeaderHint {
  const fields = row(value, 'leader', 3);
  return {
    term: natural(fields[0], 'term') as Term,
    id: nodeId(fields[1], 'id'),
    address: text(fields[2], 'address', NAME_CHARS_MAX),
  };
}

export function packMember(member: Member): readonly unknown[] {
  return [member.id, member.incarnation];
}

export function readMember(value: unknown): Member {
  const fields = row(value, 'member', 2);
  return {
    id: nodeId(fields[0], 'id'),
    incarnation: name(fields[1], 'incarnation', NAME_CHARS_MAX),
  };
}

export function packIdentity(identity: ClusterIdentity | undefined): unknown {
  if (identity === undefined) return undefined;
  return [identity.clusterId, identity.members.map(packMember)];
}

export function readIdentity(value: unknown): ClusterIdentity {
  const fields = row(value, 'cluster', 2);
  return {
    clusterId: name(fields[0], 'clusterId', NAME_CHARS_MAX),
    members: list(fields[1], 'members', MEMBERS_MAX, readMember),
  };
}
