import type { CampaignId } from '@raftd/protocol';
import { DEFAULT_WIRE_LIMITS } from '@raftd/protocol';
import { type BackOffOptions, backOffMs, DEFAULT_BACK_OFF } from './back-off.js';
import { Candidacy, type CandidacyFacts } from './candidacy.js';
import type { ClientCore } from './core.js';
import { limitExceeded, RaftdError } from './errors.js';
import type { Grant, SuspectPolicy } from './grant.js';
import { grantLease } from './grant-lease.js';
import { checkName, textOf } from './keys.js';
import { TTL_DEFAULT_MS } from './lease.js';
import { pause } from './pause.js';
import { type CandidacyName, revoke, withdraw } from './release.js';

/** Whatever the winner wants to tell about itself: bytes, text, or an object that becomes JSON. */
export type Metadata = Uint8Array | string | Readonly<Record<string, unknown>>;

export interface CampaignOptions {
  /** A label for people; identity is the random campaign id (K-078). */
  readonly candidate: string;
  /** How long leadership outlives its last renewal: 500 or more whole ms; default 10,000. */
  readonly ttlMs?: number | undefined;
  readonly metadata?: Metadata | undefined;
  /**
   * While renewals are not acknowledged: `pause` (default) lets `assertHeld()` throw the retryable
   * LEADERSHIP_SUSPECT, `continue-fenced` lets it pass, `abort` gives leadership up at once.
   */
  readonly onSuspect?: SuspectPolicy | undefined;
  /** Ends the campaign, which is then withdrawn; a leadership already won stops its work. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Longest wait in line, ms; default: none, waiting is what a candidate does. Then the candidacy
   * is withdrawn, for which `releaseTimeoutMs` more may pass, and TIMEOUT tells by its class
   * whether that is known: `rejected`, or `indeterminate`: it may stand until its lease ends.
   */
  readonly timeoutMs?: number | undefined;
}

/** Checked before anything is created. */
export function checkCampaign(election: string, options: CampaignOptions): void {
  for (const [field, name] of Object.entries({ election, candidate: options.candidate })) {
    checkName(field, name);
  }
}

/**
 * Waits in line until the state machine grants leadership. Once it has stood there it goes on
 * through outages until it is told to stop (C23): where its lease did not outlive one it stands
 * anew, with another lease under another id (K-044).
 */
export async function campaign(
  core: ClientCore,
  election: string,
  options: CampaignOptions,
): Promise<Grant> {
  core.assertOpen();
  checkCampaign(election, options);
  const { candidate, ttlMs = TTL_DEFAULT_MS, onSuspect = 'pause' } = options;
  const metadata = encodeMetadata(options.metadata);
  const stop = linkedStop(core, options);
  const line: Line = { signal: stop.signal, ttlMs, stood: false, owed: new Map() };
  try {
    for (let failures = 0; ; failures += 1) {
      try {
        return await stand(core, line, { election, candidate, metadata, onSuspect });
      } catch (error) {
        if (stop.signal.aborted || !line.stood || !isOutage(error)) throw error;
        core.ports.log.warn(
          { err: error, election },
          'the place in line is lost: campaigning anew',
        );
        await pauseAfter(core, error, failures, stop.signal);
        stop.signal.throwIfAborted();
      }
    }
  } catch (error) {
    throw error === stop.late ? await notGranted(core, line, stop.late) : error;
  } finally {
    stop.unlink();
  }
}

interface Line {
  readonly signal: AbortSignal;
  readonly ttlMs: number;
  /** The cluster has had a candidacy of this campaign in its queue. */
  stood: boolean;
  /** Withdrawals not known to be done; undefined: tried in vain. */
  readonly owed: Map<CandidacyName, Promise<void> | undefined>;
}

/**
 * One candidacy. However it ends without a grant it is withdrawn, also when nobody knows whether
 * it was ever created (K-051, K-053).
 */
async function stand(
  core: ClientCore,
  line: Line,
  who: Omit<CandidacyFacts, 'campaignId'>,
): Promise<Grant> {
  const { signal, ttlMs } = line;
  const { election } = who;
  const lease = await grantLease(core, { ttlMs, signal });
  const campaignId = core.ports.randomId() as CampaignId;
  const candidacy = new Candidacy(core, { ...who, campaignId }, lease);
  const onAbort = (): void => candidacy.fail(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  void candidacy.start(signal);
  try {
    return await candidacy.outcome;
  } catch (error) {
    lease.lose('resigned');
    const name = { election, lease: lease.id, campaignId };
    // The withdrawal first: it beats a campaign in flight.
    core.background(giveBack(core, line, name).finally(() => revoke(core, name.lease)));
    throw error;
  } finally {
    line.stood ||= candidacy.queued;
    signal.removeEventListener('abort', onAbort);
  }
}

function giveBack(core: ClientCore, line: Line, name: CandidacyName): Promise<void> {
  const withdrawal = withdraw(core, name).then(
    () => {
      line.owed.delete(name);
    },
    (error: unknown) => {
      line.owed.set(name, undefined);
      throw error;
    },
  );
  line.owed.set(name, withdrawal);
  return withdrawal;
}

/** Whether a wait that is over can still end in a grant, only the cluster can tell. */
async function notGranted(core: ClientCore, line: Line, late: RaftdError): Promise<RaftdError> {
  const withdrawals = [...line.owed].map(([name, under]) => under ?? giveBack(core, line, name));
  await Promise.allSettled(withdrawals);
  if (line.owed.size === 0) {
    return new RaftdError('TIMEOUT', `${late.message}: withdrawn`, { class: 'rejected' });
  }
  const doubt = 'the withdrawal is not confirmed, it may yet be granted until its lease ends';
  return new RaftdError('TIMEOUT', `${late.message}: ${doubt}`);
}

/** Time alone may mend it; nobody meant this candidate to go. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof RaftdError) || error.code === 'CLIENT_CLOSED') return false;
  if (error.code === 'LEASE_LOST') return error.details['reason'] === 'expired';
  return error.code === 'LEASE_NOT_FOUND' || error.retryable || error.class === 'indeterminate';
}

/** A full queue empties slowly, and every try is four entries of the log. */
const CROWDED: BackOffOptions = { floorMs: 100, baseMs: 500, capMs: 10_000 };

/** The pause before the next try, cut short by the signal and by the client's end. */
export function pauseAfter(
  core: ClientCore,
  error: unknown,
  failures: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const crowded = error instanceof RaftdError && error.code === 'CAPACITY_REACHED';
  const options = crowded ? CROWDED : DEFAULT_BACK_OFF;
  const delayMs = backOffMs(failures, core.ports.random, options);
  return pause(core.ports.timers, delayMs, [signal, core.closing]);
}

/** One signal for the caller's, the client's own end, and the wait limit. */
function linkedStop(
  core: ClientCore,
  { signal, timeoutMs }: CampaignOptions,
): { readonly signal: AbortSignal; readonly late: RaftdError; readonly unlink: () => void } {
  const late = new RaftdError('TIMEOUT', `not granted within ${timeoutMs} ms`);
  const controller = new AbortController();
  const onCaller = (): void => controller.abort(signal?.reason);
  const onClosing = (): void => controller.abort(core.closing.reason);
  const onTimeout = (): void => controller.abort(late);
  if (signal?.aborted) onCaller();
  signal?.addEventListener('abort', onCaller, { once: true });
  core.closing.addEventListener('abort', onClosing, { once: true });
  const cancel =
    timeoutMs === undefined
      ? undefined
      : core.ports.timers.after(timeoutMs, onTimeout, { ref: true });
  const unlink = (): void => {
    signal?.removeEventListener('abort', onCaller);
    core.closing.removeEventListener('abort', onClosing);
    cancel?.();
  };
  return { signal: controller.signal, late, unlink };
}

export function encodeMetadata(metadata: Metadata | undefined): Uint8Array {
  const bytes =
    metadata === undefined
      ? new Uint8Array()
      : metadata instanceof Uint8Array
        ? Uint8Array.from(metadata)
        : Buffer.from(typeof metadata === 'string' ? metadata : JSON.stringify(metadata), 'utf8');
  const limit = DEFAULT_WIRE_LIMITS.metadataBytesMax;
  if (bytes.length > limit) throw limitExceeded('metadata', limit);
  return bytes;
}

/** Metadata as it was given: the object if it is JSON, the text otherwise; undefined if empty. */
export function decodeMetadata(metadata: Uint8Array): unknown {
  if (metadata.length === 0) return undefined;
  const text = textOf(metadata);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
