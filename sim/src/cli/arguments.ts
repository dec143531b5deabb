import { UsageError } from './usage-error.js';

/** Seeds are 32 bits wide: what the keyed randomness of the world takes. */
const SEED_MAX = 0xffff_ffff;

const SEED_FORMS = 'decimal, or hexadecimal after 0x, up to 0xffffffff';
const SEED = /^(?:0x[0-9a-f]{1,8}|[0-9]{1,10})$/i;

export interface Range {
  readonly min: number;
  readonly max: number;
}

/** A parser for commander: whole numbers within the range, both ends included. */
export function wholeNumber(name: string, { min, max }: Range): (text: string) => number {
  return (text) => {
    if (!/^[0-9]{1,15}$/.test(text)) {
      throw new UsageError('INVALID_NUMBER', `${name} ${text}: a whole number is wanted`);
    }
    return within(name, Number(text), { min, max });
  };
}

/** As `wholeNumber`, fractions allowed. */
export function decimal(name: string, range: Range): (text: string) => number {
  return (text) => {
    if (!/^[0-9]{1,15}(?:\.[0-9]+)?$/.test(text)) {
      throw new UsageError('INVALID_NUMBER', `${name} ${text}: a number is wanted`);
    }
    return within(name, Number(text), range);
  };
}

export function parseSeed(text: string): number {
  const seed = SEED.test(text) ? Number(text) : Number.NaN;
  if (!Number.isInteger(seed) || seed > SEED_MAX) {
    throw new UsageError('INVALID_SEED', `seed ${text}: ${SEED_FORMS}`);
  }
  return seed;
}

/** Whether this was meant as a seed rather than as the name of a file. */
export function looksLikeSeed(text: string): boolean {
  return SEED.test(text);
}

export function oneOf<Name extends string>(
  name: string,
  choices: readonly Name[],
): (text: string) => Name {
  return (text) => {
    const choice = choices.find((candidate) => candidate === text);
    if (choice !== undefined) return choice;
    throw new UsageError('UNKNOWN_NAME', `${name} ${text}: there are ${choices.join(', ')}`);
  };
}

export function showSeed(seed: number): string {
  return `0x${seed.toString(16).padStart(8, '0')}`;
}

/** The n-th seed of a run; after the last comes 0 again. */
export function seedAt(first: number, index: number): number {
  return (first + index) % (SEED_MAX + 1);
}

function within(name: string, value: number, { min, max }: Range): number {
  if (value >= min && value <= max) return value;
  throw new UsageError('OUT_OF_RANGE', `${name} ${value}: from ${min} to ${max}`);
}
