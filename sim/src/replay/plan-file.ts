import type { StormPlan } from '../storm/plan.js';
import { PlanInvalid } from './shapes.js';
import { planFrom } from './validate-plan.js';

/** A plan with what it is known for, as failures are written and regressions are kept. */
export interface PlanFile {
  readonly plan: StormPlan;
  /** The checker that found something in it. */
  readonly checker?: string;
  readonly sentence?: string;
  /** The planted bug on which it fails. */
  readonly bug?: string;
}

/**
 * Reads `{ plan, checker?, sentence?, bug? }`, or a plan alone.
 * @throws {PlanInvalid} naming the place.
 */
export function parsePlanFile(text: string): PlanFile {
  const document = parseJson(text);
  if (!isRecord(document)) throw new PlanInvalid('', 'an object is wanted');
  if (!('plan' in document)) return { plan: planFrom(document) };
  const unknown = Object.keys(document).find((key) => !FIELDS.includes(key));
  if (unknown !== undefined) throw new PlanInvalid(unknown, `there are only ${FIELDS.join(', ')}`);
  return {
    plan: planFrom(document['plan']),
    ...textField(document, 'checker'),
    ...textField(document, 'sentence'),
    ...textField(document, 'bug'),
  };
}

/** As `parsePlanFile` reads it: a command a line, so that it can be read and edited. */
export function showPlanFile({ plan, checker, sentence, bug }: PlanFile): string {
  const { commands, ...rest } = plan;
  const known = [
    ...(bug === undefined ? [] : [`  "bug": ${JSON.stringify(bug)},`]),
    ...(checker === undefined ? [] : [`  "checker": ${JSON.stringify(checker)},`]),
    ...(sentence === undefined ? [] : [`  "sentence": ${JSON.stringify(sentence)},`]),
  ];
  const settings = Object.entries(rest)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `    ${JSON.stringify(key)}: ${JSON.stringify(value)},`);
  const list = commands.map((command) => `      ${JSON.stringify(command)}`).join(',\n');
  const body = ['    "commands": [', ...(list === '' ? [] : [list]), '    ]'];
  return ['{', ...known, '  "plan": {', ...settings, ...body, '  }', '}', ''].join('\n');
}

const FIELDS = ['plan', 'checker', 'sentence', 'bug'];

function textField<Name extends 'checker' | 'sentence' | 'bug'>(
  document: Readonly<Record<string, unknown>>,
  name: Name,
): Partial<Record<Name, string>> {
  const value = document[name];
  if (value === undefined) return {};
  if (typeof value !== 'string') throw new PlanInvalid(name, 'a text is wanted');
  const field: Partial<Record<Name, string>> = {};
  field[name] = value;
  return field;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new PlanInvalid('', error instanceof Error ? error.message : String(error));
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
