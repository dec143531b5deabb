import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** A command with everything it forks, in a session and process group of its own. */
export class ProcessGroup {
  readonly child: ChildProcess;

  constructor(command: string, args: readonly string[], environment: NodeJS.ProcessEnv) {
    this.child = spawn(command, args, {
      stdio: ['inherit', 'inherit', 'inherit'],
      env: { ...process.env, ...environment },
      detached: true,
    });
  }

  /** The group's id; undefined when the command could not be started. */
  get id(): number | undefined {
    return this.child.pid;
  }

  /** False: not permitted, the group runs on. */
  signal(signal: NodeJS.Signals): boolean {
    return this.id === undefined || signalGroup(this.id, signal);
  }

  /** False once no process of the group runs any more. */
  get alive(): boolean {
    return this.id !== undefined && isGroupAlive(this.id);
  }
}

/** False where signalling is not permitted (the command became another user's). */
export function signalGroup(group: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-group, signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EPERM') return false;
    if (code !== 'ESRCH') throw error;
  }
  return true;
}

/** A group of nothing but zombies counts as gone: they can do no more work. */
export function isGroupAlive(group: number): boolean {
  try {
    process.kill(-group, 0);
  } catch (error) {
    // Not permitted means that somebody is there.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const members = runningMembers(group);
  return members === undefined || members > 0;
}

/** Undefined where there is no /proc to ask. */
function runningMembers(group: number): number | undefined {
  let names: string[];
  try {
    names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return undefined;
  }
  return names.filter((name) => {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      // pid (name) state ppid pgrp …: the name may hold blanks and parentheses.
      const [state, , pgrp] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return Number(pgrp) === group && state !== 'Z' && state !== 'X';
    } catch {
      return false;
    }
  }).length;
}
