import type { NodeId } from '@raftd/raft';
import { expect, it } from 'vitest';
import { isSameContent } from '../../src/history/same-content.js';
import { expectBroken, HandRun, keyRecord, putCommand } from './support/hand-run.js';

const N2 = 'n2' as NodeId;

it('accepts that another node, or the same in another life, applies the same', () => {
  const run = new HandRun();
  const applied = run.commit(run.from('c1', putCommand('k0', '1')));
  const payload = Uint8Array.from(applied.payload);
  run.tell({ ...applied, payload, result: { ...applied.result }, node: N2 });
  run.tell(applied);
});

it('I7: refuses other bytes, and another stamp, at the same index', () => {
  const run = new HandRun();
  const applied = run.commit(run.from('c1', putCommand('k0', '1')));
  expectBroken('I7', () => run.tell({ ...applied, node: N2, payload: new Uint8Array() }));
  expectBroken('I7', () => run.tell({ ...applied, node: N2, clusterTimeMs: 7 }));
});

it('I7: refuses an entry that leaves one out', () => {
  const run = new HandRun();
  const applied = run.commit(run.from('c1', putCommand('k0', '1')));
  expectBroken('I7', () => run.tell({ ...applied, index: applied.index + 2 }));
});

it('L5: refuses another outcome of the same bytes', () => {
  const run = new HandRun();
  const applied = run.commit(run.from('c1', putCommand('k0', '1')));
  expectBroken('L5', () => run.tell({ ...applied, node: N2, changes: undefined }));
  expectBroken('L5', () => run.tell({ ...applied, node: N2, result: { type: 'done' } }));
});

it('C25: refuses a revision that is left out or comes again', () => {
  const run = new HandRun();
  run.put('c1', 'k0', '1');
  const put = run.from('c1', putCommand('k0', '2'));
  const events = [{ type: 'put', record: keyRecord('k0', '2', 3) }] as const;
  expectBroken('C25', () => run.forge(put, { events, revision: 3 }));
});

it('content is equal by structure', () => {
  const pairs: readonly (readonly [unknown, unknown, boolean])[] = [
    [{ a: 1, b: [1n, 'x'] }, { a: 1, b: [1n, 'x'] }, true],
    [{ a: 1 }, { a: 1, b: undefined }, true],
    [{ a: 1, b: undefined }, { a: 1 }, true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [[1, 2], [1], false],
    [[1], { 0: 1 }, false],
    [Uint8Array.of(1, 2), Uint8Array.of(1, 2), true],
    [Uint8Array.of(1, 2), Uint8Array.of(1, 3), false],
    [Uint8Array.of(1, 2), [1, 2], false],
    [null, {}, false],
    ['1', 1, false],
  ];
  for (const [one, other, isSame] of pairs) expect(isSameContent(one, other)).toBe(isSame);
});
