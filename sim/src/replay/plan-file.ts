import { CATALOGUE } from '../planted/catalogue/catalogue.js';
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
 * Reads `{ plan, checker?, sentence?, bug? }`, or a plan alone. Commands name nodes, clients, keys
 * and elections by position, counted round: node 7 of three is node 1, so that a schedule fits any
 * size of cluster. Only `liveness` names nodes that are there. Of a field twice, the last counts.
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
    ...bugField(document),
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

function bugField(document: Readonly<Record<string, unknown>>): { readonly bug?: string } {
  const { bug } = textField(document, 'bug');
  if (bug === undefined) return {};
  if (CATALOGUE.some(({ id }) => id === bug)) return { bug };
  throw new PlanInvalid('bug', `no bug of the catalogue is called ${JSON.stringify(bug)}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch (error) {
    // It quotes the text, line ends and all.
    const reason = error instanceof Error ? error.message : String(error);
    throw new PlanInvalid('', reason.replaceAll(/\s+/g, ' '));
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
