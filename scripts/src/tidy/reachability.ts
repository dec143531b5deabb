import ts from 'typescript';
import { resolveRelative } from './references.js';
import type { Finding, SourceFile, Tree, Workspace } from './tree.js';
import { nodesOf } from './tree.js';

/**
 * Every source is reached from a door: an export of its package, a bin, an npm script, a program
 * that a reached source starts. What only tests reach is dead, save in the private workspaces.
 */
export function checkReachability(tree: Tree): readonly Finding[] {
  const byPath = new Map(tree.sources.map((file) => [file.path, file]));
  const reached = new Set<string>();
  const waiting = doorsOf(tree);
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const file = byPath.get(path);
    if (file === undefined || reached.has(path)) continue;
    reached.add(path);
    waiting.push(...mentionsOf(file));
  }
  return tree.sources
    .filter((file) => file.inSource && !reached.has(file.path))
    .map(({ path }) => ({ path, line: 1, message: 'nothing reaches it: export it or delete it' }));
}

function doorsOf(tree: Tree): string[] {
  const scripts = Object.values(tree.root.manifest.scripts ?? {});
  return [
    ...scripts.flatMap((script) => script.split(' ')).map(sourceOfBuild),
    ...tree.workspaces.flatMap((workspace) => [
      ...exportsOf(workspace),
      ...binsOf(tree, workspace),
    ]),
    ...tree.sources.filter(isFreeDoor).map((file) => file.path),
  ];
}

/** Root configurations, and the tests of private workspaces: these are what they exist for. */
function isFreeDoor(file: SourceFile): boolean {
  if (file.workspace === undefined) return true;
  return file.workspace.manifest.private === true && !file.inSource;
}

function exportsOf({ directory, manifest }: Workspace): readonly string[] {
  return Object.values(manifest.exports ?? {}).flatMap((target) => {
    const source = typeof target === 'string' ? undefined : target['@raftd/source'];
    return source === undefined ? [] : [source.replace('./', `${directory}/`)];
  });
}

/** A bin is a committed shim that imports from `../dist`. */
function binsOf(tree: Tree, { directory, manifest }: Workspace): readonly string[] {
  return Object.values(manifest.bin ?? {}).flatMap((bin) => {
    const path = bin.replace('./', `${directory}/`);
    const shim = tree.files.find((file) => file.path === path);
    const builds = shim?.text.match(/\.\.\/dist\/[\w/-]+\.js/g) ?? [];
    return builds.map((build) => sourceOfBuild(build.replace('..', directory)));
  });
}

/** `scripts/dist/check.js` is built from `scripts/src/check.ts`. */
function sourceOfBuild(path: string): string {
  return path.replace('/dist/', '/src/').replace(/\.js$/, '.ts');
}

/** Any text that names a module counts: imports, and programs started by their path. */
function mentionsOf(file: SourceFile): readonly string[] {
  return [...nodesOf(file.ast)].flatMap((node) => {
    if (!ts.isStringLiteralLike(node) || !node.text.endsWith('.js')) return [];
    return [sourceOfBuild(resolveRelative(file.path, node.text)), sourceOfBuild(node.text)];
  });
}
