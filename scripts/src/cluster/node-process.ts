import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const RAFTD_BIN: string = fileURLToPath(
  new URL('../bin/raftd.js', import.meta.resolve('@raftd/cli')),
);

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface NodeOptions {
  readonly id: string;
  /** HOST:PORT, as peers and clients reach it. */
  readonly address: string;
  readonly directory: string;
  /** Further `raftd` flags. */
  readonly flags: readonly string[];
  /** Command and arguments put before `node raftd.js`, e.g. a system-call counter. */
  readonly wrapper: readonly string[];
}

/** One real `raftd` process; `kill -9`, SIGSTOP and restart are the operating system's own. */
export class NodeProcess {
  readonly options: NodeOptions;
  readonly exited: Promise<Exit>;
  readonly #child: ChildProcess;
  readonly #wrapped: boolean;
  #stdout = '';
  #stderr = '';
  #exit: Exit | undefined;

  constructor(options: NodeOptions) {
    this.options = options;
    const { id, directory, flags, wrapper } = options;
    const args = [RAFTD_BIN, '--id', id, '--data-dir', directory, ...flags];
    const [command, ...before] = [...wrapper, process.execPath];
    if (command === undefined) throw new Error('no command to run');
    this.#wrapped = wrapper.length > 0;
    this.#child = spawn(command, [...before, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      // A wrapper that holds signals back: they go to the whole group, the node included.
      detached: this.#wrapped,
    });
    this.#child.stdout?.on('data', (bytes: Buffer) => {
      this.#stdout += bytes.toString();
    });
    this.#child.stderr?.on('data', (bytes: Buffer) => {
      this.#stderr = (this.#stderr + bytes.toString()).slice(-64 * 1024);
    });
    this.exited = once(this.#child, 'close').then(([code, signal]) => {
      this.#exit = { code: code as number | null, signal: signal as NodeJS.Signals | null };
      return this.#exit;
    });
  }

  get id(): string {
    return this.options.id;
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error(`${this.id} was never started`);
    return this.#child.pid;
  }

  get running(): boolean {
    return this.#exit === undefined;
  }

  /** What it logged, the last 64 KiB. */
  get stderr(): string {
    return this.#stderr;
  }

  /** Resolves once the ready line is on stdout; rejects with the log if the process ends first. */
  async ready(): Promise<void> {
    while (!this.#stdout.includes('\n')) {
      const stdout = this.#child.stdout;
      if (stdout === null) throw new Error('stdout is not piped');
      const data = once(stdout, 'data').then(() => undefined);
      const exit = await Promise.race([data, this.exited]);
      if (exit !== undefined) throw new NodeExited(this.id, exit, this.#stderr);
    }
  }

  kill(signal: NodeJS.Signals): void {
    if (!this.running) return;
    if (this.#wrapped) process.kill(-this.pid, signal);
    else this.#child.kill(signal);
  }
}

/** A node ended before it was ready. */
export class NodeExited extends Error {
  readonly exit: Exit;

  constructor(id: string, exit: Exit, stderr: string) {
    super(`${id} ended with ${exit.code ?? exit.signal} before it was ready:\n${stderr}`);
    this.exit = exit;
  }
}
