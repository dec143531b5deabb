import { isBuiltin } from 'node:module';
import type { Reference } from './references.js';
import { referencesOf, resolveRelative } from './references.js';
import type { Finding, Manifest, SourceFile, Tree, Workspace } from './tree.js';
import { findingAt } from './tree.js';

/** What the sources of a package may import: the architecture as a table. */
interface Row {
  readonly packages: Readonly<Record<string, 'values' | 'types'>>;
  readonly libraries: Readonly<Record<string, 'values' | 'types'>>;
}

const EVERY_PACKAGE: Row['packages'] = {
  raft: 'values',
  coordinator: 'values',
  protocol: 'values',
  storage: 'values',
  transport: 'values',
  server: 'values',
  client: 'values',
  fencing: 'values',
};

/** Workspaces that are not in the table (sim, bench, test, scripts) import what they declare. */
const TABLE: Readonly<Record<string, Row>> = {
  raft: { packages: {}, libraries: {} },
  coordinator: { packages: {}, libraries: { 'sorted-btree': 'values' } },
  protocol: {
    packages: { raft: 'types', coordinator: 'types' },
    libraries: { msgpackr: 'values' },
  },
  storage: { packages: { raft: 'types' }, libraries: { level: 'values' } },
  transport: { packages: { protocol: 'values' }, libraries: { ws: 'values' } },
  server: { packages: { raft: 'values', protocol: 'values' }, libraries: {} },
  client: { packages: { protocol: 'values', transport: 'values' }, libraries: {} },
  fencing: { packages: {}, libraries: { level: 'types' } },
  cli: {
    packages: EVERY_PACKAGE,
    libraries: { commander: 'values', pino: 'values', 'prom-client': 'values', zod: 'values' },
  },
};

/** Packages that exist for tests: any test may import them. */
const TEST_PACKAGES = ['sim', 'test'];
const SCOPE = '@raftd/';

/** Every import is one that the table allows, through the front door of what it names. */
export function checkImports(tree: Tree): readonly Finding[] {
  return tree.sources.flatMap((file) => {
    const { workspace } = file;
    if (workspace === undefined) return [];
    return referencesOf(file).flatMap((reference) => {
      const message = judge(tree, file, workspace, reference);
      return message === undefined ? [] : [findingAt(file, reference.node, message)];
    });
  });
}

function judge(
  tree: Tree,
  file: SourceFile,
  workspace: Workspace,
  reference: Reference,
): string | undefined {
  const { specifier } = reference;
  if (specifier.startsWith('.')) return judgeRelative(file, workspace, specifier);
  if (specifier.startsWith('node:')) return undefined;
  if (isBuiltin(specifier)) return `write node:${specifier}`;
  const row = file.inSource ? TABLE[workspace.name] : undefined;
  if (specifier.startsWith(SCOPE)) return judgePackage(tree, file, workspace, reference, row);
  return judgeLibrary(tree, workspace, reference, row);
}

function judgeRelative(
  file: SourceFile,
  workspace: Workspace,
  specifier: string,
): string | undefined {
  const target = resolveRelative(file.path, specifier);
  if (!target.startsWith(`${workspace.directory}/`)) {
    return `${specifier} reaches into another package: import it by its name, @raftd/…`;
  }
  if (file.inSource && !target.startsWith(`${workspace.directory}/src/`)) {
    return `${specifier} is outside src: sources do not rest on tests or build output`;
  }
  return undefined;
}

function judgePackage(
  tree: Tree,
  file: SourceFile,
  workspace: Workspace,
  reference: Reference,
  row: Row | undefined,
): string | undefined {
  const [name = '', ...subpath] = reference.specifier.slice(SCOPE.length).split('/');
  const target = tree.workspaces.find((candidate) => candidate.name === name);
  if (target === undefined) return `there is no package ${reference.specifier}`;
  const door = ['.', ...subpath].join('/');
  if (target.manifest.exports?.[door] === undefined) {
    return `${reference.specifier} is no door of ${name}: import what its index exports`;
  }
  if (row !== undefined) {
    return judgeUse(workspace, SCOPE + name, row.packages[name], reference.typeOnly);
  }
  const isTest = !file.inSource && TABLE[workspace.name] !== undefined;
  if (isTest && (name === workspace.name || TEST_PACKAGES.includes(name))) return undefined;
  return isDeclared(workspace.manifest, SCOPE + name)
    ? undefined
    : `declare ${SCOPE}${name} in ${workspace.directory}/package.json`;
}

function judgeLibrary(
  tree: Tree,
  workspace: Workspace,
  reference: Reference,
  row: Row | undefined,
): string | undefined {
  const parts = reference.specifier.split('/');
  const name = parts.slice(0, parts[0]?.startsWith('@') === true ? 2 : 1).join('/');
  if (row !== undefined) return judgeUse(workspace, name, row.libraries[name], reference.typeOnly);
  // Tools of the whole workspace (vitest, fast-check, typescript) stand in the root manifest.
  const declared = [workspace.manifest, tree.root.manifest].some((it) => isDeclared(it, name));
  return declared ? undefined : `declare ${name} in ${workspace.directory}/package.json`;
}

function judgeUse(
  workspace: Workspace,
  name: string,
  allowed: 'values' | 'types' | undefined,
  typeOnly: boolean,
): string | undefined {
  if (allowed === undefined) {
    return `${workspace.name} may not import ${name}: take what you need as an argument (a port)`;
  }
  if (allowed === 'types' && !typeOnly) {
    return `${workspace.name} may import only types of ${name}: write import type`;
  }
  return isDeclared(workspace.manifest, name)
    ? undefined
    : `declare ${name} in ${workspace.directory}/package.json`;
}

function isDeclared(manifest: Manifest, name: string): boolean {
  const { dependencies, devDependencies, peerDependencies } = manifest;
  return [dependencies, devDependencies, peerDependencies].some((list) => list?.[name]);
}
