import type { CampaignId } from '@raftd/protocol';
import { DEFAULT_WIRE_LIMITS } from '@raftd/protocol';
import { Candidacy } from './candidacy.js';
import type { ClientCore } from './core.js';
import { invalidArgument, limitExceeded, RaftdError } from './errors.js';
import type { Grant, SuspectPolicy } from './grant.js';
import { grantLease } from './grant-lease.js';
import { textOf } from './keys.js';
import { TTL_DEFAULT_MS } from './lease.js';
import { withdrawAndRevoke } from './release.js';

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
  /** Longest wait in line, ms; default: none, waiting is what a candidate does. */
  readonly timeoutMs?: number | undefined;
}

/** Checked before anything is created. */
export function checkCampaign(election: string, options: CampaignOptions): void {
  const { nameCharsMax } = DEFAULT_WIRE_LIMITS;
  for (const [field, name] of Object.entries({ election, candidate: options.candidate })) {
    if (typeof name !== 'string' || name === '') throw invalidArgument(field, 'is empty');
    if (name.length > nameCharsMax) throw limitExceeded(field, nameCharsMax);
  }
}

/**
 * Waits in line until the state machine grants leadership. However it ends otherwise, the
 * candidacy is withdrawn, also when nobody knows whether it was ever created (K-051, K-053).
 */
export async function campaign(
  core: ClientCore,
  election: string,
  options: CampaignOptions,
): Promise<Grant> {
  core.assertOpen();
  checkCampaign(election, options);
  const metadata = encodeMetadata(options.metadata);
  const stop = linkedStop(core, options);
  try {
    const lease = await grantLease(core, {
      ttlMs: options.ttlMs ?? TTL_DEFAULT_MS,
      signal: stop.signal,
    });
    const campaignId = core.ports.randomId() as CampaignId;
    const { candidate, onSuspect = 'pause' } = options;
    const facts = { election, candidate, campaignId, metadata, onSuspect };
    const candidacy = new Candidacy(core, facts, lease);
    const onAbort = (): void => candidacy.fail(stop.signal.reason);
    stop.signal.addEventListener('abort', onAbort, { once: true });
    void candidacy.start(stop.signal);
    try {
      return await candidacy.outcome;
    } catch (error) {
      lease.lose('resigned');
      core.background(withdrawAndRevoke(core, { election, lease: lease.id, campaignId }));
      throw error;
    }
  } finally {
    stop.unlink();
  }
}

/** One signal for the caller's, the client's own end, and the wait limit. */
function linkedStop(
  core: ClientCore,
  { signal, timeoutMs }: CampaignOptions,
): { readonly signal: AbortSignal; readonly unlink: () => void } {
  const controller = new AbortController();
  const onCaller = (): void => controller.abort(signal?.reason);
  const onClosing = (): void => controller.abort(core.closing.reason);
  const onTimeout = (): void =>
    controller.abort(
      new RaftdError('TIMEOUT', `not granted within ${timeoutMs} ms`, { class: 'rejected' }),
    );
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
  return { signal: controller.signal, unlink };
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
