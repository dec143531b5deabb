import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { signalGroup } from './process-group.js';
import type { ChildDeadline, FromWatchdog, ToWatchdog } from './watchdog-protocol.js';

export interface ChildEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The watchdog ended the child because the deadline passed unheard of. */
  readonly overdue: boolean;
}

export interface ChildCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** raftctl's end of the watchdog process. */
export class Watchdog {
  /**
   * Resolves when the command and all of its process group are gone, also where the watchdog
   * itself was killed (the group is killed then). Rejects when the command cannot be started.
   */
  readonly ended: Promise<ChildEnd>;
  readonly #process: ChildProcess;
  #group: number | undefined;

  /** Starts the watchdog, and through it the command. */
  constructor(command: ChildCommand, deadline: ChildDeadline) {
    const script = fileURLToPath(new URL('./watchdog-main.js', import.meta.url));
    // A session of its own: a stop or interrupt typed at the terminal does not reach it.
    this.#process = fork(script, [], { detached: true, stdio: 'inherit' });
    this.ended = new Promise((resolve, reject) => this.#hear(resolve, reject));
    this.#send({ type: 'run', ...command, deadline });
  }

  moveDeadline(deadline: ChildDeadline): void {
    this.#send({ type: 'deadline', deadline });
  }

  /** SIGTERM now, SIGKILL after `graceMs` or at the deadline. */
  end(graceMs: number): void {
    this.#send({ type: 'end', graceMs });
  }

  /** The watchdog itself stands still: ends the group, and it, from here. */
  takeOver(): void {
    if (this.#group !== undefined) signalGroup(this.#group, 'SIGKILL');
    this.#process.kill('SIGKILL');
  }

  #send(message: ToWatchdog): void {
    // A watchdog that is gone is noticed through its exit.
    if (this.#process.connected) this.#process.send(message, () => undefined);
  }

  #hear(resolve: (end: ChildEnd) => void, reject: (error: Error) => void): void {
    this.#process.on('message', (message: FromWatchdog) => {
      switch (message.type) {
        case 'started':
          this.#group = message.processGroup;
          break;
        case 'ended':
          this.#group = undefined;
          resolve(message);
          break;
        case 'failed':
          reject(new Error(message.message));
          break;
        case 'unreachable':
          process.stderr.write(
            `raftctl: not permitted to end process group ${message.processGroup}: ` +
              'end it by hand, and let it check its token\n',
          );
          break;
      }
    });
    this.#process.once('exit', () => {
      if (this.#group !== undefined) signalGroup(this.#group, 'SIGKILL');
      resolve({ code: null, signal: 'SIGKILL', overdue: false });
    });
  }
}
