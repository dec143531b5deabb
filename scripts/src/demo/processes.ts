import { type ChildProcess, fork, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface Progress {
  readonly type: string;
  readonly worker?: string;
  readonly token?: string;
  readonly customer?: string;
  readonly reason?: string;
  readonly url?: string;
}

type Program = 'worker' | 'ledger';

const PROGRAMS: Readonly<Record<Program, URL>> = {
  worker: new URL('./worker.js', import.meta.url),
  ledger: new URL('./ledger.js', import.meta.url),
};

const stdio: StdioOptions = ['ignore', 'pipe', 'inherit', 'ipc'];

/** A program of the demo in a process of its own, heard through the JSON lines it prints. */
export class DemoProcess {
  readonly name: string;
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;

  constructor(name: string, program: Program, args: readonly string[]) {
    this.name = name;
    this.#child = fork(fileURLToPath(PROGRAMS[program]), args, { stdio });
    this.#exited = once(this.#child, 'exit');
  }

  onProgress(hear: (progress: Progress) => void): void {
    const { stdout } = this.#child;
    if (stdout === null) throw new Error(`${this.name}: stdout is not piped`);
    createInterface({ input: stdout }).on('line', (line) => hear(JSON.parse(line) as Progress));
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Ends it, also when it is frozen. */
  async stop(): Promise<void> {
    this.signal('SIGCONT');
    this.signal('SIGKILL');
    await this.#exited;
  }
}
