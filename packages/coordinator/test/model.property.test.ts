import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NaiveModel } from './model/naive-model.js';
import { steps } from './model/steps.js';
import { SESSION_TTL_MS, SESSION_WINDOW, World } from './model/world.js';
import { TOKEN_BASE } from './support.js';

const RUNS = 1000;
const STEPS_MAX = 200;
/** About ten seconds of one free core; machines that run other things too get their time. */
const TIMEOUT_MS = 300_000;

/** What the runs must have met, or they prove nothing: a zero fails the suite. */
const MUST_HAPPEN = [
  'grant',
  'promotion on expiry',
  'promotion on resignation',
  'grant by a renewal',
  'candidate without time passed over',
  'withdrawal before the campaign',
  'campaign after its withdrawal',
  'guarded write committed',
  'stale write refused',
  'fence advanced',
  'fence refused',
  'duplicate answered',
  'stale request',
  'session expired',
  'session expiry refused',
  'session forgotten',
  'expiry refused: renewed since',
  'expiry refused: not yet due',
  'expired lease saved by a renewal',
  'stale renewal attempt',
  'renewal of an ending lease',
  'own renewal overtaken',
  'foreign renewal overtaken',
  'foreign withdrawal of a live grant',
  'foreign revoke of a live grant',
  'foreign ending over',
  'key deleted with its lease',
  'election removed',
] as const;

test(
  `${RUNS} random histories: the coordinator and a naive model say the same (C1–C9)`,
  () => {
    const counts = new Map<string, number>();
    const histories = fc.commands(steps, { maxCommands: STEPS_MAX, size: 'max' });
    fc.assert(
      fc.property(histories, (history) => {
        const model = new NaiveModel(TOKEN_BASE, SESSION_TTL_MS, SESSION_WINDOW);
        const world = new World(counts);
        fc.modelRun(() => ({ model, real: world }), history);
        world.replay();
        world.count('history');
        counts.set('entry', (counts.get('entry') ?? 0) + world.log.length);
      }),
      // Fixed, so that a green run stays green; RAFTD_SEED explores others.
      { numRuns: RUNS, seed: Number(process.env['RAFTD_SEED'] ?? 2025) },
    );
    const never = MUST_HAPPEN.filter((what) => counts.get(what) === undefined);
    expect(never, JSON.stringify(Object.fromEntries(counts))).toEqual([]);
  },
  TIMEOUT_MS,
);
