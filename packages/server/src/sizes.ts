import type {
  ChangeEvent,
  CommandResult,
  KeyRecord,
  QueryResult,
  ReplyBody,
} from '@raftd/protocol';

/** What a row costs on the wire beside its texts and bytes, generously. */
const ROW_BYTES = 96;

// Estimates from above, used only to cut frames and to bound buffers; the codec has the last word.

/** A UTF-16 unit takes at most three bytes of UTF-8. */
function textBytes(...texts: readonly (string | undefined)[]): number {
  let units = 0;
  for (const text of texts) units += text?.length ?? 0;
  return 3 * units;
}

/** A key has one character for each of its bytes. */
function recordBytes(record: KeyRecord | undefined): number {
  if (record === undefined) return ROW_BYTES;
  return ROW_BYTES + record.key.length + record.value.length + textBytes(record.lease);
}

type Leader = Extract<ChangeEvent, { readonly type: 'granted' }>['leader'];
type Election = Extract<QueryResult, { readonly type: 'election-show' }>['election'];
type Lease = Extract<QueryResult, { readonly type: 'lease-show' }>['lease'];
type Grant = NonNullable<Lease>['grants'][number];
type Campaign = Extract<CommandResult, { readonly type: 'campaign' }>['state'];

function leaderBytes(leader: Leader): number {
  const { election, candidate, holder, lease, metadata } = leader;
  return ROW_BYTES + metadata.length + textBytes(election, candidate, holder, lease);
}

function grantBytes(grant: Grant): number {
  return ROW_BYTES + textBytes(grant.election, grant.campaignId);
}

function sum<T>(items: readonly T[], bytesOf: (item: T) => number): number {
  let bytes = ROW_BYTES;
  for (const item of items) bytes += bytesOf(item);
  return bytes;
}

export function eventBytes(event: ChangeEvent): number {
  switch (event.type) {
    case 'put':
      return recordBytes(event.record);
    case 'delete':
      return ROW_BYTES + event.key.length;
    case 'granted':
    case 'ending':
      return leaderBytes(event.leader);
    case 'queued':
      return ROW_BYTES + textBytes(event.election, event.campaignId, event.candidate);
    case 'left':
      return ROW_BYTES + textBytes(event.election, event.campaignId);
    case 'ended':
      return ROW_BYTES + textBytes(event.election, event.campaignId, event.lease);
  }
}

export function eventsBytes(events: readonly ChangeEvent[]): number {
  let bytes = 0;
  for (const event of events) bytes += eventBytes(event);
  return bytes;
}

function commandResultBytes(result: CommandResult): number {
  switch (result.type) {
    case 'txn':
      return sum(result.results, (part) =>
        part.type === 'get' ? recordBytes(part.record) : ROW_BYTES,
      );
    case 'lease-renew':
      return sum(result.renewals, (renewal) => {
        const grants = renewal.outcome === 'renewed' ? renewal.grants : [];
        return textBytes(renewal.lease) + sum(grants, grantBytes);
      });
    case 'campaign':
      return campaignBytes(result.state);
    case 'lease-grant':
      return ROW_BYTES + textBytes(result.lease);
    case 'refused': {
      const texts = Object.values(result.refusal).filter((field) => typeof field === 'string');
      return ROW_BYTES + textBytes(...texts);
    }
    default:
      return ROW_BYTES;
  }
}

function queryResultBytes(result: QueryResult): number {
  switch (result.type) {
    case 'get':
      return recordBytes(result.record);
    case 'range':
      return textBytes(result.cursor) + sum(result.records, recordBytes);
    case 'lease-list':
      return sum(result.leases, leaseBytes);
    case 'lease-show':
      return leaseBytes(result.lease);
    case 'election-show':
      return electionBytes(result.election);
    case 'election-list':
      return sum(result.elections, electionBytes);
    case 'campaign-show':
      return campaignBytes(result.state);
    case 'cursor-expired':
      return ROW_BYTES;
  }
}

function campaignBytes(campaign: Campaign): number {
  return campaign.state === 'granted' ? ROW_BYTES + leaderBytes(campaign.leader) : ROW_BYTES;
}

function leaseBytes(lease: Lease): number {
  if (lease === undefined) return ROW_BYTES;
  return textBytes(lease.lease) + sum(lease.grants, grantBytes);
}

function electionBytes(election: Election): number {
  if (election === undefined) return ROW_BYTES;
  const { leader, queue } = election;
  const queued = sum(
    queue,
    ({ candidate, campaignId, lease }) => ROW_BYTES + textBytes(candidate, campaignId, lease),
  );
  const led = leader === undefined ? 0 : leaderBytes(leader);
  return ROW_BYTES + textBytes(election.election) + led + queued;
}

export function replyBytes(body: ReplyBody): number {
  switch (body.type) {
    case 'command':
      return commandResultBytes(body.result);
    case 'query':
      return queryResultBytes(body.result);
    case 'status': {
      const { clusterId, id, address, leader, version, members } = body.status;
      const texts = textBytes(clusterId, id, address, leader?.id, leader?.address, version);
      const own = 2 * ROW_BYTES + texts;
      return own + sum(members, (member) => ROW_BYTES + textBytes(member.id, member.address));
    }
    case 'error': {
      const { message, details } = body.error;
      const texts = Object.entries(details).map(([name, detail]) => `${name}${detail}`);
      return ROW_BYTES * (2 + texts.length) + textBytes(message, ...texts);
    }
    case 'watching':
    case 'unwatched':
      return ROW_BYTES;
  }
}
