import { ProcessGroup } from './process-group.js';
import {
  type ChildDeadline,
  type FromWatchdog,
  monotonicMs,
  type ToWatchdog,
} from './watchdog-protocol.js';

// The watchdog: a process of its own between raftctl and the child. It knows nothing of the
// cluster, only a deadline. raftctl moves the deadline while its lease is renewed; when raftctl
// is frozen or killed nothing moves it, and the child ends before the lease can pass on.
const POLL_MS = 20;

let group: ProcessGroup | undefined;
let deadline: ChildDeadline | undefined;
let termSentAtMs: number | undefined;
let killAtMs = Number.POSITIVE_INFINITY;
let overdue = false;
let exit: { code: number | null; signal: NodeJS.Signals | null } | undefined;

function tell(message: FromWatchdog): void {
  if (process.connected) process.send?.(message);
}

function start(message: Extract<ToWatchdog, { type: 'run' }>): void {
  deadline = message.deadline;
  if (lateBy(deadline) >= 0) {
    // Both processes stood still since the grant: what was never started needs no ending.
    tell({ type: 'ended', code: null, signal: null, overdue: true });
    if (process.connected) process.disconnect();
    return;
  }
  group = new ProcessGroup(message.command, message.args, message.environment);
  group.child.once('error', (error) => {
    tell({ type: 'failed', message: error.message });
    process.exit();
  });
  group.child.once('exit', (code, signal) => {
    exit = { code, signal };
    // What the command left behind must not work on without the grant either.
    end(0);
  });
  if (group.id !== undefined) tell({ type: 'started', processGroup: group.id });
  setInterval(watch, POLL_MS);
}

/** SIGTERM once; SIGKILL after the grace, and never later than the deadline allows. */
function end(graceMs: number): void {
  const now = monotonicMs();
  if (termSentAtMs === undefined) {
    termSentAtMs = now;
    const reached = group?.signal('SIGTERM') ?? true;
    // A stopped child cannot hear SIGTERM.
    group?.signal('SIGCONT');
    if (!reached && group?.id !== undefined) tell({ type: 'unreachable', processGroup: group.id });
  }
  killAtMs = Math.min(killAtMs, now + graceMs);
}

function watch(): void {
  if (group === undefined || deadline === undefined) return;
  const late = lateBy(deadline);
  if (late >= 0 && exit === undefined) {
    overdue ||= termSentAtMs === undefined;
    end(deadline.killAfterMs - late);
  }
  if (termSentAtMs === undefined) return;
  if (monotonicMs() >= killAtMs) group.signal('SIGKILL');
  if (exit === undefined || group.alive) return;
  tell({ type: 'ended', ...exit, overdue });
  if (process.connected) process.disconnect();
  process.exit();
}

function lateBy(due: ChildDeadline): number {
  return Math.max(monotonicMs() - due.termAtMonotonicMs, Date.now() - due.termAtWallMs);
}

process.on('message', (message: ToWatchdog) => {
  switch (message.type) {
    case 'run':
      start(message);
      break;
    case 'deadline':
      deadline = message.deadline;
      break;
    case 'end':
      end(message.graceMs);
      break;
  }
});

// raftctl is gone: nobody renews, nobody reports. The child has until the deadline at most.
process.on('disconnect', () => {
  if (group === undefined) process.exit();
  end(deadline?.killAfterMs ?? 0);
});

// The terminal's signals are raftctl's to handle; the watchdog outlives them.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const) {
  process.on(signal, () => undefined);
}
