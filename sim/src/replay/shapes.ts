/** A plan that is none: which place of it, and what is wanted there. */
export class PlanInvalid extends Error {
  readonly path: string;

  constructor(path: string, message: string) {
    super(path === '' ? message : `${path}: ${message}`);
    this.name = 'PlanInvalid';
    this.path = path;
  }
}

/** Throws `PlanInvalid` for a value that is not of the shape. */
export type Shape = (value: unknown, path: string) => void;

export type Fields = Readonly<Record<string, Shape>>;

export function number(min: number, max: number): Shape {
  return (value, path) => {
    if (typeof value === 'number' && value >= min && value <= max) return;
    throw new PlanInvalid(path, `a number from ${min} to ${max} is wanted`);
  };
}

export function whole(min: number, max: number): Shape {
  return (value, path) => {
    if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) return;
    throw new PlanInvalid(path, `a whole number from ${min} to ${max} is wanted`);
  };
}

export const truth: Shape = (value, path) => {
  if (typeof value !== 'boolean') throw new PlanInvalid(path, 'true or false is wanted');
};

export function word(...choices: readonly string[]): Shape {
  return (value, path) => {
    if (choices.some((choice) => choice === value)) return;
    throw new PlanInvalid(path, `one of ${choices.join(', ')} is wanted`);
  };
}

export function listOf(item: Shape, maxLength: number): Shape {
  return (value, path) => {
    if (!Array.isArray(value)) throw new PlanInvalid(path, 'a list is wanted');
    if (value.length > maxLength) throw new PlanInvalid(path, `at most ${maxLength} are allowed`);
    value.forEach((element, at) => item(element, `${path}[${at}]`));
  };
}

/** `[low, high]`. */
export function span(max: number): Shape {
  const bound = number(0, max);
  return (value, path) => {
    if (!Array.isArray(value) || value.length !== 2) {
      throw new PlanInvalid(path, 'a list of two numbers is wanted, low and high');
    }
    bound(value[0], `${path}[0]`);
    bound(value[1], `${path}[1]`);
    if (Number(value[0]) > Number(value[1])) throw new PlanInvalid(path, 'low is above high');
  };
}

/** Either of them; the message is that of the last. */
export function either(...shapes: readonly Shape[]): Shape {
  return (value, path) => {
    let last: unknown;
    for (const shape of shapes) {
      try {
        shape(value, path);
        return;
      } catch (error) {
        last = error;
      }
    }
    throw last;
  };
}

export function optional(shape: Shape): Shape {
  return (value, path) => {
    if (value !== undefined && value !== null) shape(value, path);
  };
}

/** All of these fields and no others. */
export function record(fields: Fields): Shape {
  return (value, path) => checkFields(asRecord(value, path), fields, path);
}

/** A record whose `type` says which fields it has besides. */
export function tagged(variants: Readonly<Record<string, Fields>>): Shape {
  const names = word(...Object.keys(variants));
  return (value, path) => {
    const { type, ...rest } = asRecord(value, path);
    names(type, below(path, 'type'));
    checkFields(rest, variants[String(type)] ?? {}, path);
  };
}

function checkFields(value: Readonly<Record<string, unknown>>, fields: Fields, path: string): void {
  for (const [name, shape] of Object.entries(fields)) shape(value[name], below(path, name));
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(fields, name));
  if (unknown === undefined) return;
  const known = Object.keys(fields).join(', ');
  throw new PlanInvalid(below(path, unknown), `there is no such field; there are ${known}`);
}

function asRecord(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>;
  }
  throw new PlanInvalid(path, 'an object is wanted');
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
