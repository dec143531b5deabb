import ts from 'typescript';

/** A place that breaks a rule, and what to do instead. */
export interface Finding {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

/** One rule of the house over all tracked files. */
export type Rule = (tree: Tree) => readonly Finding[];

export interface TidyFile {
  /** From the root of the checkout, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
}

/** A TypeScript file, parsed. */
export interface SourceFile extends TidyFile {
  readonly ast: ts.SourceFile;
  /** Where it belongs; root files (configurations) belong to no workspace. */
  readonly workspace: Workspace | undefined;
  /** True below the workspace's `src`: what the package is made of. */
  readonly inSource: boolean;
}

export interface Manifest {
  readonly name?: string;
  readonly private?: boolean;
  readonly bin?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export interface Workspace {
  /** `packages/raft`, `sim`; `.` is the root. */
  readonly directory: string;
  /** `raft`, `sim`: the name without scope. */
  readonly name: string;
  readonly manifest: Manifest;
}

export interface Tree {
  readonly files: readonly TidyFile[];
  readonly sources: readonly SourceFile[];
  readonly workspaces: readonly Workspace[];
  readonly root: Workspace;
}

const SCOPE = '@raftd/';
/** As in pnpm-workspace.yaml: a manifest further down belongs to no workspace of its own. */
const WORKSPACE_MANIFEST = /^(packages\/)?[^/]+\/package\.json$/;

/** Builds the tree that the rules look at, from texts by path. */
export function treeOf(texts: Readonly<Record<string, string>>): Tree {
  const files = Object.entries(texts).map(([path, text]) => ({
    path,
    text,
    lines: text.split('\n'),
  }));
  const workspaces = files
    .filter((file) => WORKSPACE_MANIFEST.test(file.path))
    .map((file) => workspaceOf(file.path.slice(0, -'/package.json'.length), file.text));
  const sources = files
    .filter((file) => file.path.endsWith('.ts'))
    .map((file) => sourceOf(file, workspaces));
  const root = workspaceOf('.', texts['package.json'] ?? '{}');
  return { files, sources, workspaces, root };
}

/** The file itself and everything in it, parents before children. */
export function* nodesOf(node: ts.Node): Generator<ts.Node, void> {
  yield node;
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => {
    children.push(child);
  });
  for (const child of children) yield* nodesOf(child);
}

export function findingAt(file: SourceFile, node: ts.Node, message: string): Finding {
  const { line } = file.ast.getLineAndCharacterOfPosition(node.getStart(file.ast));
  return { path: file.path, line: line + 1, message };
}

function workspaceOf(directory: string, text: string): Workspace {
  const manifest = JSON.parse(text) as Manifest;
  const name = manifest.name?.replace(SCOPE, '') ?? directory;
  return { directory, name, manifest };
}

function sourceOf(file: TidyFile, workspaces: readonly Workspace[]): SourceFile {
  const workspace = workspaces.find(({ directory }) => file.path.startsWith(`${directory}/`));
  const inSource = workspace !== undefined && file.path.startsWith(`${workspace.directory}/src/`);
  const ast = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
  return { ...file, ast, workspace, inSource };
}
