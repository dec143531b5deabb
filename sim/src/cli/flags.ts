import { availableParallelism } from 'node:os';
import { Option } from 'commander';
import { FAULT_KINDS } from '../storm/fault-kind.js';
import type { FaultKind } from '../storm/fault-kind.js';
import { oneOf, parseSeed, wholeNumber } from './arguments.js';
import type { Range } from './arguments.js';

// Options that several commands have.

export const SEEDS_MAX = 10_000_000;
const CORES_MAX = 256;

export function upTo(max: number): Range {
  return { min: 1, max };
}

/** `--name <N>`, a whole number from 1 on. */
export function countOption(name: string, value: string, description: string, max: number): Option {
  return new Option(`${name} <${value}>`, description).argParser(wholeNumber(name, upTo(max)));
}

export function seedOption(): Option {
  const description = 'the first one (default: from the commit, or RAFTD_SEED)';
  return new Option('--seed <SEED>', description).argParser(parseSeed);
}

export function coresOption(): Option {
  return countOption('--cores', 'N', 'how many at once', CORES_MAX).default(availableParallelism());
}

export function jsonOption(): Option {
  return new Option('--json', 'one JSON document as the last line').default(false);
}

export function bugOption(): Option {
  return new Option('--bug <ID>', 'in code with this planted bug');
}

export function faultsOption(name: string, description: string): Option {
  const kind = oneOf(name, FAULT_KINDS);
  const parse = (text: string): readonly FaultKind[] => {
    return text === 'none' ? [] : text.split(',').map(kind);
  };
  return new Option(`${name} <LIST>`, description).argParser(parse);
}
