/** Position i holds the new position of node i. */
export type Renaming = readonly number[];

/** Every way to rename so many nodes; the identity comes first. */
export function allRenamings(nodeCount: number): readonly Renaming[] {
  let partial: number[][] = [[]];
  for (let node = 0; node < nodeCount; node += 1) {
    partial = partial.flatMap((renaming) => extensions(renaming, nodeCount));
  }
  return partial;
}

export function identityOf(nodeCount: number): Renaming {
  return Array.from({ length: nodeCount }, (_, position) => position);
}

function extensions(renaming: readonly number[], nodeCount: number): number[][] {
  const longer: number[][] = [];
  for (let position = 0; position < nodeCount; position += 1) {
    if (!renaming.includes(position)) longer.push([...renaming, position]);
  }
  return longer;
}
