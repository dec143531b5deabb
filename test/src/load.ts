import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { connect } from '@raftd/client';
import type { LocalCluster } from '@raftd/scripts';

const SCRIPT: string = fileURLToPath(new URL('../dist/load-main.js', import.meta.url));

export interface KeyOutcome {
  readonly key: string;
  readonly acknowledged: number;
  readonly indeterminate: number;
}

/** Writers in a process of their own, running since `start` resolved. */
export class Load {
  readonly #process: ChildProcess;
  readonly #outcomes: string;
  readonly #cluster: LocalCluster;

  private constructor(cluster: LocalCluster, writers: number) {
    this.#cluster = cluster;
    this.#outcomes = join(cluster.directory, `outcomes-${process.hrtime.bigint()}`);
    // The test runner's own flags make node resolve sources; real processes run what is built.
    const args = [cluster.endpoints, String(writers), this.#outcomes];
    this.#process = fork(SCRIPT, args, { execArgv: [] });
  }

  static async start(cluster: LocalCluster, writers = 16): Promise<Load> {
    const load = new Load(cluster, writers);
    await once(load.#process, 'message');
    return load;
  }

  /** Acknowledged so far, all writers together. */
  acknowledged(): number {
    return readFileSync(this.#outcomes, 'latin1')
      .split('\n')
      .filter((line) => line.startsWith('a')).length;
  }

  /** Waits until `more` further writes were acknowledged: proof that the cluster serves again. */
  async progress(more = 200): Promise<void> {
    const goal = this.acknowledged() + more;
    while (this.acknowledged() < goal) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  async stop(): Promise<readonly KeyOutcome[]> {
    const exited = once(this.#process, 'exit');
    this.#process.send('stop');
    await exited;
    return outcomesOf(readFileSync(this.#outcomes, 'latin1'));
  }

  kill(): void {
    this.#process.kill('SIGKILL');
  }

  /**
   * Exactly once, on every node: the version of a writer's key is the number of its puts that
   * were acknowledged, plus at most those whose outcome stayed unknown.
   */
  async verify(outcomes: readonly KeyOutcome[]): Promise<readonly string[]> {
    const faults: string[] = [];
    for (const id of this.#cluster.ids) {
      await using client = await connect(`ws://${this.#cluster.address(id)}`);
      await this.#caughtUp(id);
      for (const { key, acknowledged, indeterminate } of outcomes) {
        const record = await client.get(key, { consistency: 'stale' });
        const version = record?.version ?? 0;
        if (version >= acknowledged && version <= acknowledged + indeterminate) continue;
        const said = `${acknowledged} acknowledged, ${indeterminate} unknown`;
        faults.push(`${id}: ${key} has version ${version}, but ${said}`);
      }
    }
    return faults;
  }

  /** Until the node has applied what the leader has committed by now. */
  async #caughtUp(id: string): Promise<void> {
    await using client = await connect(this.#cluster.endpoints);
    await client.put('load/barrier', id);
    for (;;) {
      const { nodes } = await client.status();
      const node = nodes.find((candidate) => candidate.id === id);
      if (node?.reachable === true && node.lag === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

export function outcomesOf(text: string): readonly KeyOutcome[] {
  const counts = new Map<string, { acknowledged: number; indeterminate: number }>();
  for (const line of text.split('\n').filter((row) => row !== '')) {
    const [kind, key = ''] = line.split(' ');
    const count = counts.get(key) ?? { acknowledged: 0, indeterminate: 0 };
    if (kind === 'a') count.acknowledged += 1;
    else count.indeterminate += 1;
    counts.set(key, count);
  }
  return [...counts].map(([key, count]) => ({ key, ...count }));
}
