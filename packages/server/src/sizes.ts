import type {
  ChangeEvent,
  CommandResult,
  KeyRecord,
  QueryResult,
  ReplyBody,
} from '@raftd/protocol';

/** What a record or event costs on the wire beside its variable parts, generously. */
const OVERHEAD_BYTES = 96;
/** A leader record, live grant or queued candidate: names and ids, each a short string. */
const NAMED_BYTES = 512;

// Estimates from above, used only to cut frames and to bound buffers; the codec has the last word.

function recordBytes(record: KeyRecord | undefined): number {
  if (record === undefined) return OVERHEAD_BYTES;
  return OVERHEAD_BYTES + record.key.length + record.value.length;
}

export function eventBytes(event: ChangeEvent): number {
  switch (event.type) {
    case 'put':
      return recordBytes(event.record);
    case 'delete':
      return OVERHEAD_BYTES + event.key.length;
    case 'granted':
    case 'ending':
      return NAMED_BYTES + event.leader.metadata.length;
    default:
      return NAMED_BYTES;
  }
}

export function eventsBytes(events: readonly ChangeEvent[]): number {
  let bytes = 0;
  for (const event of events) bytes += eventBytes(event);
  return bytes;
}

function commandResultBytes(result: CommandResult): number {
  switch (result.type) {
    case 'txn': {
      let bytes = OVERHEAD_BYTES;
      for (const part of result.results) {
        bytes += part.type === 'get' ? recordBytes(part.record) : OVERHEAD_BYTES;
      }
      return bytes;
    }
    case 'lease-renew': {
      let bytes = OVERHEAD_BYTES;
      for (const renewal of result.renewals) {
        bytes += OVERHEAD_BYTES;
        if (renewal.outcome === 'renewed') bytes += renewal.grants.length * NAMED_BYTES;
      }
      return bytes;
    }
    case 'campaign':
      return result.state.state === 'granted'
        ? NAMED_BYTES + result.state.leader.metadata.length
        : OVERHEAD_BYTES;
    default:
      return OVERHEAD_BYTES;
  }
}

function queryResultBytes(result: QueryResult): number {
  switch (result.type) {
    case 'get':
      return recordBytes(result.record);
    case 'range': {
      let bytes = OVERHEAD_BYTES;
      for (const record of result.records) bytes += recordBytes(record);
      return bytes;
    }
    case 'lease-list': {
      let bytes = OVERHEAD_BYTES;
      for (const lease of result.leases)
        bytes += OVERHEAD_BYTES + lease.grants.length * NAMED_BYTES;
      return bytes;
    }
    case 'lease-show':
      return OVERHEAD_BYTES + (result.lease?.grants.length ?? 0) * NAMED_BYTES;
    case 'election-show':
      return electionBytes(result.election);
    case 'election-list': {
      let bytes = OVERHEAD_BYTES;
      for (const election of result.elections) bytes += electionBytes(election);
      return bytes;
    }
    case 'campaign-show':
      return result.state.state === 'granted'
        ? NAMED_BYTES + result.state.leader.metadata.length
        : OVERHEAD_BYTES;
    case 'cursor-expired':
      return OVERHEAD_BYTES;
  }
}

type Election = Extract<QueryResult, { readonly type: 'election-show' }>['election'];

function electionBytes(election: Election): number {
  if (election === undefined) return OVERHEAD_BYTES;
  const metadataBytes = election.leader?.metadata.length ?? 0;
  return 2 * NAMED_BYTES + metadataBytes + election.queue.length * NAMED_BYTES;
}

export function replyBytes(body: ReplyBody): number {
  switch (body.type) {
    case 'command':
      return commandResultBytes(body.result);
    case 'query':
      return queryResultBytes(body.result);
    case 'status':
      return NAMED_BYTES + body.status.members.length * NAMED_BYTES;
    case 'error':
      return NAMED_BYTES;
    case 'watching':
    case 'unwatched':
      return OVERHEAD_BYTES;
  }
}
