import type { LoggedCommand } from '@raftd/protocol';

/** True time, for people. */
export function at(trueMs: number): string {
  return `t=${(trueMs / 1000).toFixed(3)} s`;
}

export function describeCommand(logged: LoggedCommand | undefined): string {
  if (logged === undefined) return 'time only';
  const { stamp, command } = logged;
  if (stamp === undefined) return command.type;
  const who = `${stamp.session}#${stamp.sequence}`;
  switch (command.type) {
    case 'put':
    case 'delete':
      return `${command.type} ${command.key} (${who})`;
    case 'campaign':
    case 'withdraw':
      return `${command.type} ${command.election} ${command.campaignId} (${who})`;
    case 'lease-grant':
    case 'lease-revoke':
      return `${command.type} ${command.lease} (${who})`;
    default:
      return `${command.type} (${who})`;
  }
}
