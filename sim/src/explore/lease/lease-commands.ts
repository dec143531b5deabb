import type {
  ByteString,
  CampaignId,
  ClientCommand,
  CommandCodec,
  FencingToken,
  LeaseId,
  LoggedCommand,
  SessionId,
} from '@raftd/coordinator';
import { DEFAULT_SETTINGS } from '@raftd/coordinator';

export const ELECTION = 'billing';
const RESOURCE = 'ledger';
const KEY = 'cursor' as ByteString;
const STRANGER = 'stranger' as SessionId;
/** Above every sequence here. */
const ANSWERED = 32;
const NOTHING = new Uint8Array();

/** One request of a client: its stamp and bytes are the same however often it is sent. */
export type Request =
  | { readonly type: 'lease-grant' }
  | { readonly type: 'campaign' }
  | { readonly type: 'renew'; readonly attempt: number }
  | { readonly type: 'withdraw' };

const REQUESTS: readonly Request['type'][] = ['lease-grant', 'campaign', 'withdraw'];

/** Where a guarded write may go. */
export type WriteTarget = 'key' | 'fence';

export function clientName(client: number): string {
  return String.fromCharCode(65 + client);
}

export function leaseOf(client: number): LeaseId {
  return `lease-${clientName(client)}` as LeaseId;
}

export function campaignOf(client: number): CampaignId {
  return `campaign-${clientName(client)}` as CampaignId;
}

export function sessionOf(client: number): SessionId {
  return `session-${clientName(client)}` as SessionId;
}

/** The first entry of the log. Tokens count from 1. */
export const INITIALIZE: LoggedCommand = {
  stamp: undefined,
  command: {
    type: 'initialize',
    tokenBase: 0n as FencingToken,
    settings: DEFAULT_SETTINGS,
    featureLevel: 1,
  },
};

function requestOf(client: number, request: Request, ttlMs: number): LoggedCommand {
  const lease = leaseOf(client);
  const campaignId = campaignOf(client);
  switch (request.type) {
    case 'lease-grant':
      return stamped(sessionOf(client), 1, { type: 'lease-grant', lease, ttlMs });
    case 'campaign': {
      const candidate = clientName(client);
      const command = { type: 'campaign', election: ELECTION, lease, candidate } as const;
      return stamped(sessionOf(client), 2, { ...command, metadata: NOTHING, campaignId });
    }
    case 'withdraw':
      return stamped(sessionOf(client), 3, {
        type: 'withdraw',
        election: ELECTION,
        lease,
        campaignId,
      });
    case 'renew': {
      const { attempt } = request;
      const renewals = [{ lease, attempt }];
      return stamped(sessionOf(client), 4 + attempt, { type: 'lease-renew', renewals });
    }
    default:
      return request satisfies never;
  }
}

function writeOf(client: number, token: number, target: WriteTarget): LoggedCommand {
  const grant = { election: ELECTION, token: BigInt(token) as FencingToken };
  const command: ClientCommand =
    target === 'key'
      ? { type: 'put', key: KEY, value: NOTHING, lease: undefined, guards: [grant] }
      : { type: 'fence-advance', resource: RESOURCE, ...grant };
  return stamped(sessionOf(client), 4, command);
}

/** Somebody who is not its owner ends what a client has. */
function foreignEndOf(client: number, what: 'lease' | 'campaign'): LoggedCommand {
  const lease = leaseOf(client);
  const campaignId = campaignOf(client);
  const sequence = 1 + 2 * client;
  if (what === 'lease') return stamped(STRANGER, sequence, { type: 'lease-revoke', lease });
  const command = { type: 'withdraw', election: ELECTION, lease, campaignId } as const;
  return stamped(STRANGER, sequence + 1, command);
}

/** Sessions say that everything is answered: the machine keeps none of their replies. */
export function forgetting(clients: number): LoggedCommand[] {
  const sessions = [STRANGER, ...Array.from({ length: clients }, (_, at) => sessionOf(at))];
  return sessions.map((session) => {
    const stamp = { session, openedAtMs: 0, sequence: ANSWERED, mark: ANSWERED };
    return { stamp, command: { type: 'session-touch' } };
  });
}

function stamped(session: SessionId, sequence: number, command: ClientCommand): LoggedCommand {
  return { stamp: { session, openedAtMs: 0, sequence, mark: 1 }, command };
}

/** Every command that clients and strangers send, made once. */
export class LeaseCommands {
  readonly #ttlMs: number;
  readonly #made = new Map<number, LoggedCommand>();

  constructor(ttlMs: number) {
    this.#ttlMs = ttlMs;
  }

  request(client: number, request: Request): LoggedCommand {
    const kind = request.type === 'renew' ? 8 + request.attempt : REQUESTS.indexOf(request.type);
    return this.#once(client, kind, () => requestOf(client, request, this.#ttlMs));
  }

  write(client: number, token: number, target: WriteTarget): LoggedCommand {
    const kind = 32 + 2 * token + (target === 'key' ? 0 : 1);
    return this.#once(client, kind, () => writeOf(client, token, target));
  }

  foreignEnd(client: number, what: 'lease' | 'campaign'): LoggedCommand {
    return this.#once(client, what === 'lease' ? 4 : 5, () => foreignEndOf(client, what));
  }

  #once(client: number, kind: number, make: () => LoggedCommand): LoggedCommand {
    const key = kind * 8 + client;
    let command = this.#made.get(key);
    if (command === undefined) {
      command = make();
      this.#made.set(key, command);
    }
    return command;
  }
}

/** Commands by number: equal ones have one payload. The wire format is another package's affair. */
export class CommandTable implements CommandCodec {
  readonly #commands: LoggedCommand[] = [];
  readonly #payloads = new Map<string, Uint8Array>();
  readonly #known = new WeakMap<LoggedCommand, Uint8Array>();

  encode(command: LoggedCommand): Uint8Array {
    let payload = this.#known.get(command);
    if (payload === undefined) {
      payload = this.#payloadOf(command);
      this.#known.set(command, payload);
    }
    return payload;
  }

  #payloadOf(command: LoggedCommand): Uint8Array {
    const text = JSON.stringify(command, plain);
    let payload = this.#payloads.get(text);
    if (payload === undefined) {
      payload = new Uint8Array(2);
      new DataView(payload.buffer).setUint16(0, this.#commands.length);
      this.#commands.push(command);
      this.#payloads.set(text, payload);
    }
    return payload;
  }

  decode(payload: Uint8Array): LoggedCommand {
    const command = this.#commands[this.numberOf(payload)];
    if (command === undefined) throw new RangeError('no such command');
    return command;
  }

  numberOf(payload: Uint8Array): number {
    return new DataView(payload.buffer, payload.byteOffset).getUint16(0);
  }
}

/** Tokens and bytes as text that JSON can hold. */
export function plain(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  return value instanceof Uint8Array ? value.join() : value;
}
