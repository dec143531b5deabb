/**
 * What can go wrong, each a switch of its own: a seed draws which of them exist in its run
 * (swarm), the ablation of injectors turns one off, and the summary counts each.
 */
export const FAULT_KINDS = [
  'drop',
  'duplicate',
  'reorder',
  'delay',
  'one-way-cut',
  'partition',
  'swizzle',
  'crash',
  'crash-all',
  'torn-write',
  'write-failure',
  'corrupt-record',
  'disk-stall',
  'disk-full',
  'freeze-node',
  'freeze-client',
  'clock-rate',
  'clock-jump',
  'client-death',
  'client-cut',
  'wipe',
] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];
