import type { Message, NodeId, Raft, Term } from '@raftd/raft';
import { describeMessage } from '@raftd/raft';
import type { ClusterBounds } from './bounds.js';

/** One thing that happens to one node. */
export type Input =
  | { readonly type: 'message'; readonly message: Message }
  /** The write under way becomes durable. */
  | { readonly type: 'land' }
  /** Power cut and restart; `landed`: the write under way was durable, but nobody heard of it. */
  | { readonly type: 'crash'; readonly landed: boolean }
  /** The timer fires and an election is begun, where contact is free. */
  | { readonly type: 'campaign' }
  /** All of an election in which one voter is asked, where votes are given at once. */
  | { readonly type: 'elect'; readonly voter: NodeId }
  /** The timer fires, where contact is kept and was lost. */
  | { readonly type: 'timer' }
  /** Nothing was heard of the leader for an election timeout. */
  | { readonly type: 'silence' }
  /** A leader's heartbeat is due: it looks for its quorum first. */
  | { readonly type: 'beat' }
  | { readonly type: 'propose'; readonly value: number };

export function describeInput(input: Input, id: NodeId): string {
  switch (input.type) {
    case 'message':
      return `${id} receives ${describeMessage(input.message)}`;
    case 'land':
      return `${id}: the write lands`;
    case 'crash':
      return `${id} crashes${input.landed ? ' after its write landed' : ''} and restarts`;
    case 'campaign':
      return `${id}: the timer fires, and a quorum grants the pre-vote`;
    case 'elect':
      return `${id} begins an election and asks ${input.voter}`;
    case 'timer':
      return `${id}: the timer fires`;
    case 'silence':
      return `${id} hears nothing for an election timeout`;
    case 'beat':
      return `${id}: a heartbeat is due`;
    case 'propose':
      return `${id}: a client proposes value ${input.value}`;
  }
}

/** An input that goes into the core; what the disk does is the driver's. */
export type CoreInput = Exclude<Input, { readonly type: 'land' | 'crash' | 'elect' }>;

/** Everything that one node has to do with. */
export type NodeInput = Exclude<Input, { readonly type: 'elect' }>;

/** Everything but messages, as far as it happens to one node only. */
export type LocalInput = Exclude<Input, { readonly type: 'message' | 'elect' }>;

export function giveTo(core: Raft, input: CoreInput, bounds: ClusterBounds): void {
  const { nowMs, role } = core.state;
  switch (input.type) {
    case 'message':
      deliver(core, input.message, bounds);
      return;
    case 'campaign':
      campaign(core);
      return;
    case 'timer':
      core.tick(core.nextDeadlineMs() ?? nowMs);
      return;
    case 'silence':
      // A follower has no heartbeat to send: it only hears how late it is.
      core.heartbeatDue(nowMs + core.state.options.electionTimeoutMs);
      return;
    case 'beat':
      if (role.type === 'leader') core.tick(role.heartbeatDeadlineMs);
      return;
    case 'propose':
      core.propose(Uint8Array.of(input.value), 'command', 0, nowMs);
      return;
  }
}

/**
 * Where contact is free, a vote is asked for when the leader was silent for long enough: had it
 * been heard, the request would be as good as lost. A leader is silent to itself once no quorum
 * answers it, which it finds out at that moment at the latest.
 */
function deliver(core: Raft, message: Message, { contact }: ClusterBounds): void {
  const { nowMs, hardState } = core.state;
  const isFree = contact === 'free' && message.type === 'vote-request';
  const atMs = isFree ? nowMs + core.state.options.electionTimeoutMs : nowMs;
  if (isFree && message.term > hardState.term) core.quorumCheck(atMs);
  core.step(message, atMs);
}

/** Pre-votes are an optimisation: without contact there may always be a quorum to grant them. */
function campaign(core: Raft): void {
  const { nowMs, options, membership } = core.state;
  const atMs = nowMs + options.electionTimeoutMs;
  core.quorumCheck(atMs);
  core.electionTimeout(atMs);
  const term = (core.state.hardState.term + 1) as Term;
  for (const from of membership.voters) {
    if (from === options.id || core.state.role.type !== 'pre-candidate') continue;
    core.step({ type: 'pre-vote-response', from, to: options.id, term, granted: true }, atMs);
  }
}
