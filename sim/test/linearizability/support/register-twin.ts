import type { RegisterInput, RegisterOutput, Value } from '../../../src/linearizability/index.js';
import type { Twin } from './twin.js';
import { pick } from './twin.js';

const VALUES: readonly Value[] = [null, 1, 2, 'x'];

function run(value: Value, input: RegisterInput): { state: Value; output: RegisterOutput } {
  if (input.type === 'read') return { state: value, output: { type: 'read', value } };
  if (input.type === 'write') return { state: input.value, output: { type: 'write' } };
  const swapped = value === input.expected;
  return { state: swapped ? input.value : value, output: { type: 'cas', swapped } };
}

export const registerTwin: Twin<Value, RegisterInput, RegisterOutput> = {
  initial: null,
  draw: (random) => {
    const value = pick(random, VALUES);
    const expected = pick(random, VALUES);
    return pick<RegisterInput>(random, [
      { type: 'read' },
      { type: 'write', value },
      { type: 'cas', expected, value },
    ]);
  },
  run,
  after: (value, { input, output }) => {
    const real = run(value, input);
    const fits = output === undefined || JSON.stringify(output) === JSON.stringify(real.output);
    return fits ? [real.state] : [];
  },
  changed: (output, random) => {
    if (output.type === 'write') return undefined;
    if (output.type === 'cas') return { type: 'cas', swapped: !output.swapped };
    return { type: 'read', value: pick(random, VALUES) };
  },
};
