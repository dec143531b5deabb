import { expect, test } from 'vitest';
import { admits, Bootstrap, type ClusterIdentity, type Member } from '../src/index.js';

const hash = (text: string): string => `#${text.replaceAll('\n', ',')}`;
const LISTED = ['n1', 'n2', 'n3'] as never[];

function member(id: string, incarnation: string): Member {
  return { id: id as never, incarnation };
}

function empty(id: string, incarnation: string): { member: Member; cluster: undefined } {
  return { member: member(id, incarnation), cluster: undefined };
}

function bootstrapOf(id: string, incarnation: string): Bootstrap {
  return new Bootstrap({ self: member(id, incarnation), listed: LISTED, hash });
}

const FORMED: ClusterIdentity = {
  clusterId: '#n1=i1,n2=i2,n3=i3',
  members: [member('n1', 'i1'), member('n2', 'i2'), member('n3', 'i3')],
};

test('a cluster is formed once all listed nodes have answered, and not before', () => {
  const bootstrap = bootstrapOf('n2', 'i2');
  expect(bootstrap.outcome).toEqual({ type: 'waiting' });
  expect(bootstrap.hear(empty('n3', 'i3'))).toEqual({ type: 'waiting' });
  expect(bootstrap.hear(empty('n3', 'i3'))).toEqual({ type: 'waiting' });
  expect(bootstrap.hear(empty('n1', 'i1'))).toEqual({ type: 'formed', identity: FORMED });
  expect(bootstrap.outcome.type).toBe('formed');
});

test('every node computes the same identity, whatever the order it heard in', () => {
  const first = bootstrapOf('n1', 'i1');
  first.hear(empty('n3', 'i3'));
  const second = bootstrapOf('n3', 'i3');
  second.hear(empty('n1', 'i1'));
  expect(first.hear(empty('n2', 'i2'))).toEqual(second.hear(empty('n2', 'i2')));
});

test('a list of one forms at once', () => {
  const self = member('n1', 'i1');
  const bootstrap = new Bootstrap({ self, listed: [self.id], hash });
  expect(bootstrap.outcome).toMatchObject({ type: 'formed', identity: { members: [self] } });
});

test('a peer that came back with another incarnation before forming replaces the old one', () => {
  const bootstrap = bootstrapOf('n1', 'i1');
  bootstrap.hear(empty('n2', 'old'));
  bootstrap.hear(empty('n2', 'i2'));
  expect(bootstrap.hear(empty('n3', 'i3'))).toEqual({ type: 'formed', identity: FORMED });
});

test('a slow first start adopts the cluster that was formed with it', () => {
  const bootstrap = bootstrapOf('n3', 'i3');
  const outcome = bootstrap.hear({ member: member('n1', 'i1'), cluster: FORMED });
  expect(outcome).toEqual({ type: 'adopted', identity: FORMED });
});

test('a node whose data directory was emptied is refused, and told of --rejoin', () => {
  const bootstrap = bootstrapOf('n3', 'wiped');
  const outcome = bootstrap.hear({ member: member('n1', 'i1'), cluster: FORMED });
  expect(outcome).toMatchObject({ type: 'refused' });
  expect(outcome.type === 'refused' && outcome.reason).toMatch(/another incarnation.*--rejoin/);
});

test('a node that the cluster does not list is refused', () => {
  const listed = [...LISTED, 'n4' as never];
  const bootstrap = new Bootstrap({ self: member('n4', 'i4'), listed, hash });
  const outcome = bootstrap.hear({ member: member('n1', 'i1'), cluster: FORMED });
  expect(outcome.type === 'refused' && outcome.reason).toMatch(/no member n4.*--rejoin/);
});

test('what was settled stays settled', () => {
  const bootstrap = bootstrapOf('n3', 'i3');
  bootstrap.hear({ member: member('n1', 'i1'), cluster: FORMED });
  expect(bootstrap.hear(empty('n2', 'other')).type).toBe('adopted');
});

test('strangers and echoes of itself are not counted', () => {
  const bootstrap = bootstrapOf('n1', 'i1');
  expect(bootstrap.hear(empty('n9', 'x'))).toEqual({ type: 'waiting' });
  expect(bootstrap.hear(empty('n1', 'x'))).toEqual({ type: 'waiting' });
  bootstrap.hear(empty('n2', 'i2'));
  expect(bootstrap.hear(empty('n3', 'i3'))).toEqual({ type: 'formed', identity: FORMED });
});

test('a list that lacks the node itself, or names one twice, is refused', () => {
  const self = member('n9', 'x');
  expect(() => new Bootstrap({ self, listed: LISTED, hash })).toThrow('lacks this node, n9');
  const listed = [...LISTED, 'n1' as never];
  expect(() => new Bootstrap({ self: member('n1', 'x'), listed, hash })).toThrow('one twice');
});

test('a formed node admits its members, in this very incarnation and of this cluster only', () => {
  expect(admits(FORMED, empty('n3', 'i3'))).toBe(true);
  expect(admits(FORMED, { member: member('n3', 'i3'), cluster: FORMED })).toBe(true);
  expect(admits(FORMED, empty('n3', 'wiped'))).toBe(false);
  expect(admits(FORMED, empty('n4', 'i3'))).toBe(false);
  const foreign = { ...FORMED, clusterId: '#other' };
  expect(admits(FORMED, { member: member('n3', 'i3'), cluster: foreign })).toBe(false);
});
