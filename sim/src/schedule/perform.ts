import type { RaftNode } from '../world/node.js';
import type { World } from '../world/world.js';
import type { Command, Target } from './command.js';

/** Carries out one command. What cannot happen now (a restart of a running node) is nothing. */
export function perform(world: World, command: Command): void {
  switch (command.type) {
    case 'advance':
      world.advance(command.ms);
      return;
    case 'deliver':
      world.deliver(command.nth);
      return;
    case 'drop':
      world.drop(command.nth);
      return;
    case 'duplicate':
      world.duplicate(command.nth, command.delayMs);
      return;
    case 'replay':
      world.replay(command.nth, command.delayMs);
      return;
    case 'propose':
      for (let count = 0; count < command.count; count += 1) {
        world.propose(find(world, command.to), command.bytes);
      }
      return;
    case 'read':
      world.read(find(world, command.to), command.kind);
      return;
    case 'complete-write':
      world.completeWrite(find(world, command.node));
      return;
    case 'heal':
      world.heal();
      return;
    case 'recover':
      recover(world, command.ms);
      return;
    case 'isolate':
    case 'split':
    case 'cut-one-way':
    case 'mute':
    case 'deafen':
      cut(world, command);
      return;
    default:
      harm(world, command);
  }
}

type Cut = Extract<Command, { type: 'isolate' | 'split' | 'cut-one-way' | 'mute' | 'deafen' }>;

function cut(world: World, command: Cut): void {
  switch (command.type) {
    case 'isolate': {
      const alone = find(world, command.node);
      world.partition((node) => node === alone, command.mode);
      return;
    }
    case 'split': {
      const { nodes } = world;
      world.partition((node) => ((command.mask >> nodes.indexOf(node)) & 1) === 1, command.mode);
      return;
    }
    case 'mute': {
      const mute = find(world, command.node);
      for (const other of world.nodes) world.cut(mute, other, command.mode);
      return;
    }
    case 'deafen': {
      const deaf = find(world, command.node);
      for (const other of world.nodes) world.cut(other, deaf, command.mode);
      return;
    }
    case 'cut-one-way':
      world.cut(find(world, command.from), world.nth(command.to), command.mode);
      return;
  }
}

type Harm = Extract<Command, { type: 'crash' | 'crash-all' | 'restart' | 'freeze' | 'thaw' }>;

function harm(world: World, command: Harm): void {
  switch (command.type) {
    case 'crash':
      world.crash(find(world, command.node), command.landed ? 1 : 0);
      return;
    case 'crash-all':
      for (const node of world.nodes) world.crash(node, command.landed ? 1 : 0);
      return;
    case 'restart':
      world.restart(world.nth(command.node));
      return;
    case 'freeze':
      find(world, command.node).freeze();
      return;
    case 'thaw':
      for (const node of world.nodes) node.thaw({ timersFirst: command.timersFirst });
      return;
  }
}

/** Heals the network, wakes and restarts every node, then lets `ms` pass. */
export function recover(world: World, ms: number): void {
  world.heal();
  for (const node of world.nodes) node.thaw({ timersFirst: true });
  for (const node of world.nodes) world.restart(node);
  world.advance(ms);
}

function find(world: World, target: Target): RaftNode {
  if (typeof target === 'number') return world.nth(target);
  const leader = world.leader();
  switch (target) {
    case 'leader':
      return leader ?? world.nth(0);
    case 'old-leader': {
      const isOld = (node: RaftNode): boolean => node !== leader && node.view?.role === 'leader';
      return world.nodes.find(isOld) ?? leader ?? world.nth(0);
    }
    case 'follower':
      return world.nodes.find((node) => node !== leader && node.isUp) ?? world.nth(0);
  }
}
