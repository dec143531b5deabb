import { assertNever } from '../assert-never.js';
import type {
  ClientCommand,
  ClientCrew,
  CrewSurroundings,
  HireCrew,
} from '../storm/client-crew.js';
import type { ClientTarget, NodeTarget } from '../storm/command.js';
import type { FaultKind } from '../storm/fault-kind.js';
import { ClientHost } from './client-host.js';
import { Numbering } from './diary.js';
import { Resources } from './resource.js';

export interface CrewOptions {
  /** Tests freeze what client and server share. */
  readonly inspect?: ((frame: object) => void) | undefined;
}

/** All clients of a storm: the real library in processes that freeze, die and lose the network. */
export class Crew implements ClientCrew {
  readonly resources: Resources = new Resources();
  readonly #surroundings: CrewSurroundings;
  readonly #hosts: readonly ClientHost[];

  constructor(surroundings: CrewSurroundings, { inspect }: CrewOptions = {}) {
    this.#surroundings = surroundings;
    const { clientCount, encoded } = surroundings.plan.profile;
    const carriage = { encoded, inspect };
    const numbering = new Numbering();
    const { resources } = this;
    this.#hosts = Array.from({ length: clientCount }, (_, position) => {
      return new ClientHost({ position, surroundings, carriage, numbering, resources });
    });
  }

  start(): void {
    if (this.#surroundings.plan.profile.clientSkews.some((skew) => skew !== 0)) {
      this.#injected('clock-rate', 'clients');
    }
    for (const host of this.#hosts) host.start();
  }

  perform(command: ClientCommand): void {
    const host = this.#hostOf(command.client);
    if (host === undefined) return;
    switch (command.type) {
      case 'operate':
        host.operate(command.operation);
        return;
      case 'cut-client':
        this.#cut(host, command.node);
        return;
      case 'mend-client':
        for (const cable of host.cables) cable.mend();
        return;
      case 'reset-client':
        this.#reset(host);
        return;
      case 'freeze-client':
        if (!host.process.isUp || host.process.isFrozen) return;
        host.freeze();
        this.#injected('freeze-client');
        return;
      case 'thaw-client':
        if (host.process.isFrozen) host.thaw(command);
        return;
      case 'kill-client':
        if (!host.process.isUp) return;
        host.kill();
        this.#injected('client-death');
        return;
      case 'start-client':
        if (!host.process.isUp) host.start();
        return;
      case 'jump-client-clock':
        host.process.clock.jumpWall(command.byMs);
        this.#injected('clock-jump');
        return;
      default:
        assertNever(command);
    }
  }

  heal(core: readonly string[]): void {
    for (const host of this.#hosts) {
      host.becomeCalm();
      for (const address of core) host.cable(address).mend();
      if (host.process.isFrozen) host.thaw({ timersFirst: true });
      host.windDown();
    }
  }

  endWatches(): void {
    for (const host of this.#hosts) host.endWatches();
  }

  get isIdle(): boolean {
    return this.#hosts.every(({ life }) => life?.isIdle ?? true);
  }

  pending(): readonly string[] {
    return this.#hosts.flatMap(({ life }) => life?.pending ?? []);
  }

  /** A position counts round; `holder` is whoever won last and has not heard of its end. */
  #hostOf(target: ClientTarget): ClientHost | undefined {
    if (target !== 'holder') return this.#hosts[target % this.#hosts.length];
    let holder: ClientHost | undefined;
    let latest = 0n;
    for (const host of this.#hosts) {
      const token = host.life?.holdings.at(-1)?.leadership.token ?? 0n;
      if (token <= latest) continue;
      latest = token;
      holder = host;
    }
    return holder;
  }

  #cut(host: ClientHost, node: NodeTarget | 'all'): void {
    const address = node === 'all' ? undefined : this.#surroundings.addressOf(node);
    if (node !== 'all' && address === undefined) return;
    let isNew = false;
    for (const cable of address === undefined ? host.cables : [host.cable(address)]) {
      if (cable.cut()) isNew = true;
    }
    if (isNew) this.#injected('client-cut');
  }

  #reset(host: ClientHost): void {
    let isReset = false;
    for (const cable of host.cables) {
      if (cable.reset()) isReset = true;
    }
    if (isReset) this.#injected('client-cut');
  }

  #injected(kind: FaultKind, of?: string): void {
    const whose = of === undefined ? {} : { of };
    this.#surroundings.observe({ type: 'fault-injected', kind, ...whose });
  }
}

export const hireCrew: HireCrew = (surroundings) => new Crew(surroundings);
