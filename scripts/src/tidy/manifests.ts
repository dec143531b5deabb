import type { Finding, Manifest, Tree, Workspace } from './tree.js';

const EXACT = /^(\d+\.\d+\.\d+(-[\w.]+)?|workspace:\*)$/;

/** What a build uses is written down exactly; only what a user brings (peers) is a range. */
export function checkVersions(tree: Tree): readonly Finding[] {
  return [tree.root, ...tree.workspaces].flatMap(({ directory, manifest }) =>
    dependenciesOf(manifest).flatMap(([name, version]) => {
      if (EXACT.test(version)) return [];
      const path = directory === '.' ? 'package.json' : `${directory}/package.json`;
      const message = `${name} ${version}: give one exact version, as 1.2.3, or workspace:*`;
      return [{ path, line: lineOf(tree, path, `"${name}"`), message }];
    }),
  );
}

/** One page a package: duty, door, what it must not know, invariants. */
export function checkReadmes(tree: Tree): readonly Finding[] {
  return tree.workspaces
    .filter((workspace) => !hasReadme(tree, workspace))
    .map((workspace) => ({
      path: `${workspace.directory}/README.md`,
      line: 1,
      message: 'missing: say duty, door, what it must not know, invariants',
    }));
}

function hasReadme(tree: Tree, { directory }: Workspace): boolean {
  return tree.files.some((file) => file.path === `${directory}/README.md`);
}

function dependenciesOf(manifest: Manifest): readonly (readonly [string, string])[] {
  return Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
}

function lineOf(tree: Tree, path: string, text: string): number {
  const file = tree.files.find((candidate) => candidate.path === path);
  return (file?.lines.findIndex((line) => line.includes(text)) ?? 0) + 1;
}
