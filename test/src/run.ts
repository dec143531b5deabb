import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface Ran {
  readonly code: number | string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

/** Runs one of our own commands to its end, as a user's shell would. */
export function run(
  command: 'raftd' | 'raftctl',
  args: readonly string[],
  options: RunOptions = {},
): Promise<Ran> {
  const bin = new URL(`../bin/${command}.js`, import.meta.resolve('@raftd/cli'));
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [fileURLToPath(bin), ...args],
      {
        env: { ...process.env, ...options.environment },
        timeout: options.timeoutMs ?? 60_000,
        killSignal: 'SIGKILL',
      },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}
