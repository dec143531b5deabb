import type { Instant } from '@raftd/client';
import type { Moment } from './client-clock.js';
import type { Request } from './lease-commands.js';
import type { Reply } from './machine-node.js';

/**
 * A request of a client and the way of its answer. It may reach the log at any time after it was
 * sent, and its answer the client at any time after that; never is one of those times.
 */
export type Sent =
  | { readonly type: 'under-way'; readonly sentAt: Moment }
  | { readonly type: 'answered'; readonly sentAt: Moment; readonly reply: Reply }
  /** Answered and heard, or nobody waits for the answer any more. */
  | { readonly type: 'done' }
  /** Nobody waits for the answer, but it can still reach the log. */
  | { readonly type: 'unheeded' };

export const DONE: Sent = { type: 'done' };
export const UNHEEDED: Sent = { type: 'unheeded' };

/** The lease as the client believes it: what the real `HeldLease` is built again from. */
export interface Held {
  readonly acknowledgedAt: Instant;
  readonly attempt: number;
}

export type Standing =
  | { readonly type: 'none' }
  /** The lease is asked for, or held without a grant. */
  | { readonly type: 'waiting' }
  /** `knownAtAttempt`: renewals up to this one may have been applied before the grant. */
  | { readonly type: 'granted'; readonly token: number; readonly knownAtAttempt: number }
  | { readonly type: 'lost' };

export type Write =
  | { readonly type: 'none' }
  | { readonly type: 'under-way'; readonly token: number }
  | { readonly type: 'arrived' };

/** One client with its share of the network. */
export interface ClientFacts {
  readonly asleep: boolean;
  /** Steps it was suspended for so far. */
  readonly slept: number;
  readonly standing: Standing;
  readonly held: Held | undefined;
  readonly grant: Sent | undefined;
  readonly campaign: Sent | undefined;
  /** By attempt, from 1. */
  readonly renewals: readonly Sent[];
  readonly withdrawal: Sent | undefined;
  /** Token of a grant that is being pushed to it; 0: none. */
  readonly pushed: number;
  readonly write: Write;
}

/** Interned: equal facts are one object. */
export interface ClientNode extends ClientFacts {
  readonly id: number;
}

export const NEW_CLIENT: ClientFacts = {
  asleep: false,
  slept: 0,
  standing: { type: 'none' },
  held: undefined,
  grant: undefined,
  campaign: undefined,
  renewals: [],
  withdrawal: undefined,
  pushed: 0,
  write: { type: 'none' },
};

/** Acts on its belief now; one that is suspended does nothing. */
export function believes(client: ClientFacts): boolean {
  return client.standing.type === 'granted' && !client.asleep;
}

/** A grant begins: the state machine has said so. */
export function won(client: ClientFacts, token: number, knownAtAttempt: number): ClientFacts {
  return { ...client, pushed: 0, standing: { type: 'granted', token, knownAtAttempt } };
}

/** For ever; what is under way stays under way. */
export function lost(client: ClientFacts): ClientFacts {
  return {
    ...client,
    asleep: false,
    slept: 0,
    standing: { type: 'lost' },
    held: undefined,
    grant: unheeded(client.grant),
    campaign: unheeded(client.campaign),
    renewals: client.renewals.map((sent) => unheeded(sent)),
    pushed: 0,
  };
}

function unheeded<S extends Sent | undefined>(sent: S): S | Sent {
  if (sent?.type === 'under-way') return UNHEEDED;
  return sent?.type === 'answered' ? DONE : sent;
}

export function sentOf(client: ClientFacts, request: Request): Sent | undefined {
  switch (request.type) {
    case 'lease-grant':
      return client.grant;
    case 'campaign':
      return client.campaign;
    case 'renew':
      return client.renewals[request.attempt - 1];
    case 'withdraw':
      return client.withdrawal;
    default:
      return request satisfies never;
  }
}

export function withSent(client: ClientFacts, request: Request, sent: Sent): ClientFacts {
  switch (request.type) {
    case 'lease-grant':
      return { ...client, grant: sent };
    case 'campaign':
      return { ...client, campaign: sent };
    case 'renew':
      return { ...client, renewals: client.renewals.with(request.attempt - 1, sent) };
    case 'withdraw':
      return { ...client, withdrawal: sent };
    default:
      return request satisfies never;
  }
}

/** Every field, so that equal texts are equal clients. */
export function textOf(client: ClientFacts): string {
  const { held, standing, write } = client;
  const grant = standing.type === 'granted' ? [standing.token, standing.knownAtAttempt] : [];
  return [
    client.asleep ? 1 : 0,
    client.slept,
    standing.type,
    ...grant,
    ...(held === undefined ? ['-'] : [instantText(held.acknowledgedAt), held.attempt]),
    sentText(client.grant),
    sentText(client.campaign),
    client.renewals.map(sentText).join(),
    sentText(client.withdrawal),
    client.pushed,
    write.type === 'under-way' ? write.token : write.type,
  ].join(' ');
}

function sentText(sent: Sent | undefined): string {
  switch (sent?.type) {
    case undefined:
      return '-';
    case 'under-way':
      return `u${momentText(sent.sentAt)}`;
    case 'answered':
      return `a${momentText(sent.sentAt)}:${sent.reply.id}`;
    case 'done':
      return 'd';
    case 'unheeded':
      return 'n';
    default:
      return sent satisfies never;
  }
}

function momentText({ step, slept }: Moment): string {
  return `${step}/${slept}`;
}

function instantText({ monotonicMs, asleepMs, aheadMs }: Instant): string {
  return `${monotonicMs.toFixed(6)}/${asleepMs.toFixed(6)}/${aheadMs.toFixed(6)}`;
}
