import type { Scope } from './scope.js';

/** A state of one of several worlds; none is chosen yet at the very start. */
export type Chosen<State> =
  | { readonly world: number; readonly state: State }
  | { readonly world: undefined; readonly state: undefined };

/**
 * Several worlds as one scope, the first step being which it is: bounds that are too much together
 * are searched apart and counted as one.
 */
export function oneOf<State>(
  name: string,
  worlds: readonly { readonly what: string; readonly scope: Scope<State> }[],
): Scope<Chosen<State>> {
  const scopeOf = (world: number): Scope<State> => {
    const chosen = worlds[world];
    if (chosen === undefined) throw new RangeError(`${name} has no world ${world}`);
    return chosen.scope;
  };
  return {
    name,
    initial: () => ({ world: undefined, state: undefined }),
    successors: (chosen, visit) => {
      if (chosen.world === undefined) {
        for (const [world, { what, scope }] of worlds.entries()) {
          visit(() => what, { world, state: scope.initial() });
        }
        return;
      }
      const { world } = chosen;
      scopeOf(world).successors(chosen.state, (label, state) => {
        visit(label, { world, state });
      });
    },
    encode: (chosen, into) => {
      into.word(chosen.world ?? -1);
      if (chosen.world !== undefined) scopeOf(chosen.world).encode(chosen.state, into);
    },
    violation: ({ world, state }) =>
      world === undefined ? undefined : scopeOf(world).violation(state),
  };
}
