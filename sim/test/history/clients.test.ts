import { describe, expect, it } from 'vitest';
import { expectBroken, expireCommand, HandRun } from './support/hand-run.js';

/** a leads with token 101 until 500 ms; b waits for it. */
class Handover extends HandRun {
  holds = true;
  asked = 0;

  static begun(...args: ConstructorParameters<typeof HandRun>): Handover {
    const run = new Handover(...args);
    for (const name of ['a', 'b']) {
      run.grantLease(name, `l${name}`, name === 'a' ? 500 : 5_000);
      run.campaign(name, `l${name}`, name);
    }
    run.won('a', 101n);
    return run;
  }

  won(client: string, token: bigint): void {
    const isHeld = (): boolean => {
      this.asked += 1;
      return this.holds;
    };
    const [election, holder, lease] = ['e0', client, `l${client}`];
    const won = { client, election, token, holder, lease, ttlMs: 500, isHeld };
    this.tell({ type: 'leadership-won', ...won });
  }

  end(reason: string): void {
    this.holds = false;
    this.tell({ type: 'leadership-ended', client: 'a', election: 'e0', token: 101n, reason });
  }

  expire(): void {
    this.trueMs = 500;
    this.commit(expireCommand('la', 0));
  }

  life(type: 'client-started' | 'client-killed' | 'client-frozen' | 'client-thawed'): void {
    this.tell({ type, client: 'a' });
  }
}

describe('L4, held in true time', () => {
  it('accepts a holder that has stopped in time', () => {
    const run = Handover.begun();
    run.trueMs = 400;
    run.end('expired');
    run.expire();
    run.finish();
  });

  it('refuses a holder that still holds at the first apply of the next grant', () => {
    const run = Handover.begun();
    expectBroken('L4', () => run.expire());
  });

  it('asks a frozen client when it thaws, and a killed one never', () => {
    const run = Handover.begun();
    run.life('client-frozen');
    run.expire();
    expectBroken('L4', () => run.life('client-thawed'));
    const dead = Handover.begun();
    dead.life('client-killed');
    dead.expire();
    dead.life('client-started');
    dead.finish();
    expect(dead.asked).toBe(0);
  });

  it('refuses a win that comes too late and still counts', () => {
    const run = Handover.begun();
    run.end('expired');
    run.trueMs = 600;
    run.commit(expireCommand('la', 0));
    run.holds = true;
    expectBroken('L4', () => run.won('a', 101n));
  });

  it('refuses that what was lost once passes again', () => {
    const run = Handover.begun();
    run.end('fenced');
    run.holds = true;
    expectBroken('L4', () => run.finish());
  });

  it('asks nobody who may hold, as asking moves the handle', () => {
    const run = Handover.begun();
    run.life('client-frozen');
    run.life('client-thawed');
    run.finish();
    expect(run.asked).toBe(0);
  });

  it('refuses that a handle runs out less than its stop budget before it passes on', () => {
    const run = Handover.begun();
    run.trueMs = 470;
    run.end('expired');
    expectBroken('L4', () => run.expire());
  });

  it('says nothing of a budget where a freeze made the news late, or the holder let go', () => {
    const frozen = Handover.begun();
    frozen.life('client-frozen');
    frozen.trueMs = 490;
    frozen.life('client-thawed');
    frozen.end('expired');
    frozen.expire();
    const resigned = Handover.begun();
    resigned.trueMs = 490;
    resigned.end('resigned');
    resigned.expire();
  });

  it('demands nothing where clocks are beyond their bound', () => {
    const run = Handover.begun({ clientSkews: [0, -1.5] });
    run.expire();
    run.finish();
  });
});

describe('L3, the resource', () => {
  const write = (client: string, token: bigint, accepted: boolean) => {
    return {
      type: 'resource-write',
      client,
      election: 'e0',
      token,
      accepted,
      asked: true,
    } as const;
  };

  it('accepts growing tokens and refuses older ones', () => {
    const run = new HandRun();
    run.tell(write('a', 101n, true));
    run.tell(write('b', 102n, true));
    run.tell(write('a', 101n, false));
    run.tell(write('b', 102n, true));
  });

  it('must not accept an older token, even if the newer one was refused', () => {
    const run = new HandRun({}, []);
    run.tell(write('b', 102n, true));
    expectBroken('L3', () => run.tell(write('a', 101n, true)));
  });

  it('must not refuse the newest', () => {
    const run = new HandRun();
    run.tell(write('a', 101n, true));
    expectBroken('L3', () => run.tell(write('b', 102n, false)));
  });
});

describe('C20, errors', () => {
  it.each([
    ['rejected', 'FENCED'],
    ['indeterminate', 'OUTCOME_UNKNOWN'],
    ['rejected', 'SESSION_EXPIRED'],
    ['indeterminate', 'SESSION_EXPIRED'],
    ['indeterminate', 'UNAVAILABLE'],
    ['indeterminate', 'CLIENT_CLOSED'],
    ['indeterminate', 'ABORTED'],
    ['rejected', 'TIMEOUT'],
    ['invalid', 'COMPACTED'],
  ] as const)('accepts %s with %s', (errorClass, code) => {
    const run = new HandRun();
    run.fail('a', run.invoke('a', { type: 'other', name: 'campaign' }), errorClass, code);
  });

  it.each([
    ['rejected', 'ECONNRESET'],
    ['rejected', 'ABORTED'],
    ['rejected', 'OUTCOME_UNKNOWN'],
    ['indeterminate', 'FENCED'],
    ['invalid', 'INVALID_ARGUMENT'],
    ['invalid', 'NOT_LEADER'],
  ] as const)('refuses %s with %s', (errorClass, code) => {
    const run = new HandRun();
    const operation = run.invoke('a', { type: 'other', name: 'campaign' });
    expectBroken('C20', () => run.fail('a', operation, errorClass, code));
  });
});
