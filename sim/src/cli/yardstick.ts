import { readFileSync } from 'node:fs';

/**
 * What one yardstick costs on the reference core with nothing beside it, ms of CPU. A core that
 * takes twice as long (an older one, or one that is shared) runs storms at half the speed: with
 * both in one run, the speed of the code can be told from that of the machine.
 */
export const YARDSTICK_MS = 22;

const NANOSECONDS_PER_MS = 1e6;

const ROUNDS = 40;
const OBJECTS = 4_000;

interface Square {
  readonly type: 'square';
  readonly name: string;
  readonly side: number;
}

interface Circle {
  readonly type: 'circle';
  readonly name: string;
  readonly radius: number;
  readonly centre: readonly number[];
}

type Shape = Square | Circle;

/** CPU time of one yardstick on this thread, ms; undefined where the system does not tell it. */
export function measureYardstick(): number | undefined {
  const startedMs = threadCpuMs();
  if (startedMs === undefined) return undefined;
  layYardstick();
  const endedMs = threadCpuMs();
  return endedMs === undefined ? undefined : endedMs - startedMs;
}

/**
 * Fixed work of the kind that storms are made of: small objects of several shapes, maps by text,
 * closures, short lists, bytes. Returns a number that depends on all of it.
 */
export function layYardstick(): number {
  let sum = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const known = new Map<string, Shape>();
    for (let at = 0; at < OBJECTS; at += 1) {
      const shape = makeShape(at, round);
      known.set(shape.name, shape);
    }
    const later: (() => number)[] = [];
    for (const shape of known.values()) later.push(() => sizeOf(shape));
    for (const run of later) sum = (sum + run()) >>> 0;
    sum = (sum ^ hashOf(known)) >>> 0;
  }
  return sum;
}

function makeShape(at: number, round: number): Shape {
  const name = `s${(at * 7919) % OBJECTS}/${round}`;
  if (at % 3 === 0) return { type: 'square', name, side: at };
  return { type: 'circle', name, radius: at, centre: [at, round, at ^ round] };
}

function sizeOf(shape: Shape): number {
  if (shape.type === 'square') return shape.side * shape.side;
  return shape.radius + shape.centre.reduce((sum, part) => sum + part, 0);
}

function hashOf(known: ReadonlyMap<string, Shape>): number {
  const bytes = new Uint8Array(64);
  let hash = 0x811c9dc5;
  for (const { name } of known.values()) {
    for (let at = 0; at < name.length; at += 1) bytes[at] = name.charCodeAt(at);
    for (let at = 0; at < name.length; at += 1) {
      hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
    }
  }
  return hash >>> 0;
}

/** Linux counts the time that each thread was on a processor. */
function threadCpuMs(): number | undefined {
  try {
    const [nanoseconds] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ');
    return Number(nanoseconds) / NANOSECONDS_PER_MS;
  } catch {
    return undefined;
  }
}
