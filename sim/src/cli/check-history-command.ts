import type { Verdict } from '../linearizability/index.js';
import { checkHistoryText } from '../linearizability/index.js';
import { EXIT } from './exit-codes.js';
import { readText } from './files.js';
import type { Terminal } from './terminal.js';
import { UsageError } from './usage-error.js';

const CODES: Readonly<Record<Verdict['type'], number>> = {
  linearizable: EXIT.ok,
  undecided: EXIT.gate,
  'not-linearizable': EXIT.correctness,
};

/** Is there an order in which this history could have happened? Returns the exit code. */
export function runCheckHistory(path: string, terminal: Terminal): number {
  const report = judge(path);
  terminal.print(report.text);
  return CODES[report.verdict.type];
}

function judge(path: string): ReturnType<typeof checkHistoryText> {
  const text = readText(path);
  try {
    return checkHistoryText(text);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'HistoryFileError') throw error;
    throw new UsageError('INVALID_FILE', `${path}: ${error.message}`);
  }
}
