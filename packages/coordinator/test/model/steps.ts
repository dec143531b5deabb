import fc from 'fast-check';
import type { ClientCommand } from '../../src/index.js';
import { bytes, campaignId, key, lease, token, TOKEN_BASE } from '../support.js';
import type { NaiveModel } from './naive-model.js';
import { RENEWERS } from './renewers.js';
import { CLIENTS, ELECTIONS, KEYS, LEASES, same, type World } from './world.js';

type Step = fc.Command<NaiveModel, World>;

/** One step as data: a name, its numbers, and what it does with them. */
function step<T extends object>(
  name: string,
  numbers: fc.Arbitrary<T>,
  run: (world: World, model: NaiveModel, numbers: T) => void,
): fc.Arbitrary<Step> {
  return numbers.map((chosen) => ({
    check: () => true,
    run: (model, world) => run(world, model, chosen),
    toString: () => `${name} ${JSON.stringify(chosen)}`,
  }));
}

const client = fc.nat(CLIENTS - 1);
const election = fc.constantFrom(...ELECTIONS);
const leaseId = fc.nat(LEASES - 1).map((at) => lease(`lease-${at}`));
/** How many grants back: 0 is the newest one, whoever holds it. */
const grantsBack = fc.constantFrom(0, 0, 1, 2);
const foreign = fc.constantFrom(false, false, true);

/** The session of that lease's owner where it lives: so that most ends are not foreign. */
function ownerOf(world: World, model: NaiveModel, id: string, otherwise: number): number {
  const owner = model.lease(id)?.owner;
  const at = world.clients.findIndex((each) => each.id === owner);
  return at === -1 ? otherwise : at;
}

/** The clients' rule: an expired session is replaced, never revived. */
function send(world: World, model: NaiveModel, at: number, command: ClientCommand): void {
  const reply = world.run(model, at, command);
  if (reply === 'SESSION_EXPIRED') world.openSession(at);
}

function campaignOf(name: string, on: string, id: string): ClientCommand {
  return {
    type: 'campaign',
    election: name,
    lease: lease(on),
    candidate: id,
    metadata: bytes(id),
    campaignId: campaignId(id),
  };
}

function nthToken(model: NaiveModel, name: string, back: number): bigint {
  const grants = model.grants.filter((grant) => grant.election === name);
  return grants.at(-1 - back)?.token ?? TOKEN_BASE + 500_000n;
}

function versions(model: NaiveModel): string {
  return [...model.keys].map(([at, { version }]) => `${at} ${version}`).join();
}

const writes: readonly fc.Arbitrary<Step>[] = [
  step(
    'put',
    fc.record({ client, at: fc.constantFrom(...KEYS), on: fc.option(leaseId) }),
    (world, model, { client: by, at, on }) => {
      const command = { type: 'put', key: key(at), value: bytes('v'), guards: [] } as const;
      send(world, model, by, { ...command, lease: on ?? undefined });
    },
  ),
  step(
    'guarded-put',
    fc.record({ client, at: fc.constantFrom(...KEYS), election, grantsBack }),
    (world, model, { client: by, at, election: name, grantsBack: back }) => {
      const guards = [{ election: name, token: token(nthToken(model, name, back)) }];
      const put = { type: 'put', key: key(at), value: bytes('v'), lease: undefined } as const;
      send(world, model, by, { ...put, guards });
    },
  ),
  step('delete', fc.record({ client, at: fc.constantFrom(...KEYS) }), (world, model, chosen) => {
    send(world, model, chosen.client, { type: 'delete', key: key(chosen.at), guards: [] });
  }),
  step(
    'advance',
    fc.record({ client, resource: fc.constantFrom('db', 'cache'), election, grantsBack }),
    (world, model, { client: by, resource, election: name, grantsBack: back }) => {
      const value = token(nthToken(model, name, back));
      send(world, model, by, { type: 'fence-advance', resource, election: name, token: value });
    },
  ),
];

const leases: readonly fc.Arbitrary<Step>[] = [
  step(
    'grant-lease',
    fc.record({ client, id: leaseId, ttlMs: fc.constantFrom(1000, 5000, 15_000) }),
    (world, model, { client: by, id, ttlMs }) => {
      if (model.lease(id) === undefined) world.renewers.forget(id);
      send(world, model, by, { type: 'lease-grant', lease: id, ttlMs });
    },
  ),
  step(
    'renew',
    fc.record({ client, id: leaseId, late: fc.boolean() }),
    (world, model, { client: by, id, late }) => {
      const next = world.nextAttempt(id);
      const attempt = late ? Math.max(1, next - 2) : next;
      send(world, model, by, { type: 'lease-renew', renewals: [{ lease: id, attempt }] });
    },
  ),
  step(
    'send-renewal',
    fc.record({ by: fc.constantFrom(...RENEWERS), id: leaseId, jump: fc.constantFrom(0, 0, 5) }),
    (world, _model, { by, id, jump }) => world.renewers.send(world, by, id, jump),
  ),
  step('renewal-arrives', fc.record({ nth: fc.nat(5) }), (world, model, { nth }) => {
    world.renewers.arrive(world, model, nth);
  }),
  step(
    'revoke',
    fc.record({ client, id: leaseId, foreign }),
    (world, model, { client: by, id, foreign: isForeign }) => {
      const at = isForeign ? by : ownerOf(world, model, id, by);
      send(world, model, at, { type: 'lease-revoke', lease: id });
    },
  ),
];

const elections: readonly fc.Arbitrary<Step>[] = [
  step(
    'campaign',
    fc.record({ client, election, nth: fc.nat(LEASES - 1) }),
    (world, model, { client: by, election: name, nth }) => {
      const on = model.leases[nth % Math.max(1, model.leases.length)];
      if (on === undefined) return;
      world.campaigns += 1;
      const id = `fresh-${world.campaigns}`;
      send(world, model, by, campaignOf(name, on.id, id));
    },
  ),
  step(
    'withdraw',
    fc.record({ client, foreign, nth: fc.nat(9) }),
    (world, model, { client: by, foreign: isForeign, nth }) => {
      const chosen = model.campaigns[nth % Math.max(1, model.campaigns.length)];
      if (chosen === undefined) return;
      const at = isForeign ? by : ownerOf(world, model, chosen.lease, by);
      send(world, model, at, {
        type: 'withdraw',
        election: chosen.election,
        lease: lease(chosen.lease),
        campaignId: campaignId(chosen.id),
      });
    },
  ),
];

const faults: readonly fc.Arbitrary<Step>[] = [
  step(
    'campaign-any',
    fc.record({ client, election, id: leaseId, campaign: fc.nat(20) }),
    (world, model, { client: by, election: name, id, campaign }) => {
      send(world, model, by, campaignOf(name, id, `campaign-${campaign}`));
    },
  ),
  step(
    'withdraw-any',
    fc.record({ client, election, id: leaseId, campaign: fc.nat(20) }),
    (world, model, { client: by, election: name, id, campaign }) => {
      const named = campaignId(`campaign-${campaign}`);
      send(world, model, by, { type: 'withdraw', election: name, lease: id, campaignId: named });
    },
  ),
  step('resend', fc.record({ back: fc.nat(12) }), (world, model, { back }) => {
    const logged = world.sent.at(-1 - back);
    if (logged === undefined || logged.command.type === 'lease-renew') return;
    const before = versions(model);
    const reply = world.resend(model, logged);
    world.sent.pop();
    // All that was sent has been applied or refused before, and once is once.
    if (reply !== 'done') same('keys after a retry', versions(model), before);
  }),
  step('new-session', fc.record({ client }), (world, _model, chosen) => {
    world.openSession(chosen.client);
  }),
  step('close-session', fc.record({ client }), (world, model, chosen) => {
    world.run(model, chosen.client, { type: 'session-close' });
    world.openSession(chosen.client);
  }),
  step('touch-session', fc.record({ client }), (world, model, chosen) => {
    send(world, model, chosen.client, { type: 'session-touch' });
  }),
];

const time: readonly fc.Arbitrary<Step>[] = [
  step('pass', fc.record({ ms: fc.nat(800) }), (world, _model, { ms }) => {
    world.nowMs += ms;
  }),
  step('pass-long', fc.record({ ms: fc.nat(12_000), rare: fc.nat(3) }), (world, _model, chosen) => {
    if (chosen.rare === 0) world.nowMs += chosen.ms;
  }),
  step('pass-to-expiry', fc.constant({}), (world, model) => {
    const ends = model.campaigns.flatMap(({ endsAtMs }) => endsAtMs ?? []);
    const deadlines = [...model.leases.map(({ expiresAtMs }) => expiresAtMs), ...ends];
    world.nowMs = Math.max(world.nowMs, Math.min(...deadlines, world.nowMs + 1000));
  }),
  // A leader decides now, perhaps by a clock that runs ahead; its commands may be applied later,
  // by another term, or never.
  step(
    'decide',
    fc.record({ aheadMs: fc.constantFrom(0, 0, 5000, 25_000) }),
    (world, _model, chosen) => {
      world.due(chosen.aheadMs);
    },
  ),
  step('apply-decided', fc.record({ back: fc.nat(5) }), (world, model, { back }) => {
    const command = world.decided.at(-1 - back);
    if (command !== undefined) world.propose(model, command);
  }),
];

const tick: fc.Arbitrary<Step> = step('tick', fc.constant({}), (world, model) => {
  for (const command of world.due(0)) {
    if (command.type === 'expire-leases') {
      const isDue = ({ expiresAtMs }: { expiresAtMs: number }): boolean =>
        expiresAtMs <= world.nowMs;
      const expected = model.leases.filter(isDue).map(({ id }) => id);
      const named = command.leases.map(({ lease: id }) => String(id));
      same('leases due', named.toSorted().join(), expected.toSorted().join());
    }
    world.propose(model, command);
  }
});

/** Seldom, for everything but vacant elections is gone after it. */
const day: fc.Arbitrary<Step> = step(
  'pass-a-day',
  fc.nat(15).map((rare) => ({ rare })),
  (world, _model, { rare }) => {
    if (rare === 0) world.nowMs += 86_400_000;
  },
);

/** Weighted by repetition: shrinking keeps every step's own numbers. */
export const steps: fc.Arbitrary<Step>[] = [
  ...writes,
  ...leases,
  ...leases,
  ...elections,
  ...elections,
  ...elections,
  ...faults,
  ...time,
  tick,
  tick,
  tick,
  day,
];
