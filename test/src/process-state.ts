import { readFileSync } from 'node:fs';

/** Whether a process can still do anything: not gone, not a zombie. */
export function isRunning(pid: number): boolean {
  const [state] = statOf(pid);
  return state !== undefined && state !== 'Z' && state !== 'X';
}

export function parentOf(pid: number): number {
  const [, parent] = statOf(pid);
  if (parent === undefined) throw new Error(`process ${pid} is gone`);
  return Number(parent);
}

/** `state ppid …` of /proc/PID/stat; the name before it may hold blanks and parentheses. */
function statOf(pid: number): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
