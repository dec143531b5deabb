import { type CampaignOptions, campaign, checkCampaign, pauseAfter } from './campaign.js';
import type { ClientCore } from './core.js';
import { LeadershipLostError, RaftdError } from './errors.js';
import type { Grant } from './grant.js';
import { Leadership } from './leadership.js';

export interface RunOptions extends Omit<CampaignOptions, 'timeoutMs'> {
  /**
   * How long after the abort of `leadership.signal` the body may take to return, ms; default
   * 30,000. After that leadership is left to expire, never released under running work, and
   * `run()` rejects with LEADERSHIP_LOST, reason `stuck`.
   */
  readonly stuckAfterMs?: number | undefined;
}

export type RunBody = (leadership: Leadership) => Promise<void> | void;

const STUCK_AFTER_MS = 30_000;

type BodyEnd =
  | { readonly type: 'returned' }
  | { readonly type: 'threw'; readonly error: unknown }
  | { readonly type: 'stuck' };

/**
 * Campaigns, runs the body while leading, and campaigns again after a loss, until the signal
 * aborts (then it resolves), the body returns while still leading, or the body throws an error of
 * its own (then it rejects with that very error).
 */
export function run(
  core: ClientCore,
  election: string,
  options: RunOptions,
  body: RunBody,
): Promise<void> {
  const work = runLoop(core, election, options, body);
  // `close()` waits for the body to settle and for the release; who called hears of errors.
  core.background(work.catch(() => undefined));
  return work;
}

async function runLoop(
  core: ClientCore,
  election: string,
  options: RunOptions,
  body: RunBody,
): Promise<void> {
  checkCampaign(election, options);
  for (let failures = 0; !options.signal?.aborted; ) {
    core.assertOpen();
    let grant: Grant;
    try {
      grant = await campaign(core, election, options);
    } catch (error) {
      if (options.signal?.aborted) return;
      if (!worthAnother(error)) throw error;
      core.ports.log.warn({ err: error, election }, 'the campaign failed and is tried again');
      await pauseAfter(core, error, failures, options.signal);
      failures += 1;
      continue;
    }
    failures = 0;
    if (await lead(core, grant, options, body)) return;
  }
}

/** True: the body has returned while leading, there is nothing more to do. */
async function lead(
  core: ClientCore,
  grant: Grant,
  options: RunOptions,
  body: RunBody,
): Promise<boolean> {
  const unlink = stopWith(core, grant, options.signal);
  const end = await bodyEnd(core, grant, options.stuckAfterMs ?? STUCK_AFTER_MS, body);
  unlink();
  const { election, token } = grant.facts;
  if (end.type === 'stuck') {
    grant.stop('stuck', { renew: false });
    throw new LeadershipLostError(election, token, 'stuck', grant.loss);
  }
  const { held } = grant;
  const excused = end.type === 'threw' && isExcused(end.error, grant);
  await release(core, grant);
  if (end.type === 'threw' && !excused) throw end.error;
  return held && end.type === 'returned';
}

/** The caller's abort, or the client's end, lowers the flag; renewals go on until work settled. */
function stopWith(core: ClientCore, grant: Grant, signal: AbortSignal | undefined): () => void {
  const onAbort = (): void => grant.stop('aborted', { renew: true, cause: signal?.reason });
  const onClosing = (): void => grant.stop('closed', { renew: true });
  if (signal?.aborted) onAbort();
  if (core.closing.aborted) onClosing();
  signal?.addEventListener('abort', onAbort, { once: true });
  core.closing.addEventListener('abort', onClosing, { once: true });
  return () => {
    signal?.removeEventListener('abort', onAbort);
    core.closing.removeEventListener('abort', onClosing);
  };
}

function bodyEnd(
  core: ClientCore,
  grant: Grant,
  stuckAfterMs: number,
  body: RunBody,
): Promise<BodyEnd> {
  return new Promise((resolve) => {
    let cancel: (() => void) | undefined;
    const onAbort = (): void => {
      const onStuck = (): void => resolve({ type: 'stuck' });
      cancel = core.ports.timers.after(stuckAfterMs, onStuck, { ref: true });
    };
    const finish = (end: BodyEnd): void => {
      grant.signal.removeEventListener('abort', onAbort);
      cancel?.();
      resolve(end);
    };
    if (grant.signal.aborted) onAbort();
    else grant.signal.addEventListener('abort', onAbort, { once: true });
    const work = async (): Promise<void> => body(new Leadership(core, grant));
    work().then(
      () => finish({ type: 'returned' }),
      (error: unknown) => finish({ type: 'threw', error }),
    );
  });
}

/** Work has settled: a grant still ours is resigned, a lost one released as far as it stands. */
async function release(core: ClientCore, grant: Grant): Promise<void> {
  const { election } = grant.facts;
  await grant.resign().catch((error: unknown) => {
    core.ports.log.warn({ err: error, election }, 'leadership is left to expire');
  });
}

/** The body ended because leadership did, or may: no error of its own. */
function isExcused(error: unknown, grant: Grant): boolean {
  const reason: unknown = grant.signal.aborted ? grant.signal.reason : undefined;
  if (reason !== undefined && error === reason) return true;
  if (!(error instanceof Error)) return false;
  if (reason !== undefined && error.cause === reason) return true;
  const code = error instanceof RaftdError ? error.code : undefined;
  if (code === 'LEADERSHIP_SUSPECT') return true;
  return reason !== undefined && (code === 'LEADERSHIP_LOST' || code === 'FENCED');
}

function worthAnother(error: unknown): boolean {
  return error instanceof RaftdError && error.class !== 'invalid' && error.code !== 'CLIENT_CLOSED';
}
