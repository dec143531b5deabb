import ts from 'typescript';
import { referencesOf } from './references.js';
import type { Finding, SourceFile, Tree } from './tree.js';
import { findingAt, nodesOf } from './tree.js';

/** No clock, timer, socket, file, process, randomness or promise. */
const PURE_PACKAGES = ['raft', 'coordinator', 'protocol'];
/** Everything from outside is handed in, as plain callbacks. */
const HANDED_IN_PACKAGES = [...PURE_PACKAGES, 'server'];

const TIME = 'time is handed in: tick(now), a clock port, cluster time';
const TIMER = 'timers are handed in; in the core, tick turns time into events';
const RANDOM = 'randomness is handed in, so that a seed repeats the run';
const CALLBACK = 'ports are plain callbacks, so that nothing runs between a check and its use';
const PROCESS = 'only packages/cli touches process: hand the value in';

const FORBIDDEN_GLOBALS: Readonly<Record<string, string>> = {
  Date: TIME,
  performance: TIME,
  setTimeout: TIMER,
  setInterval: TIMER,
  setImmediate: TIMER,
  queueMicrotask: TIMER,
  crypto: RANDOM,
  process: PROCESS,
  Promise: CALLBACK,
  console: 'report through a port; only packages/cli prints',
  globalThis: 'name what you need, or have it handed in',
};

/** The pure ring imports nothing of Node's; it and the server reach for nothing around them. */
export function checkPurity(tree: Tree): readonly Finding[] {
  return tree.sources.filter(isHandedIn).flatMap((file) => [
    ...nodeImports(file),
    ...[...nodesOf(file.ast)].flatMap((node) => {
      const message = judge(node);
      return message === undefined ? [] : [findingAt(file, node, message)];
    }),
  ]);
}

/** In the packages, only `cli` reads arguments, environment and signals. */
export function checkProcess(tree: Tree): readonly Finding[] {
  const sources = tree.sources.filter((file) => file.inSource && isProduct(file));
  return sources
    .filter((file) => file.workspace?.name !== 'cli' && !isHandedIn(file))
    .flatMap((file) =>
      [...nodesOf(file.ast)]
        .filter((node) => isGlobal(node, 'process') || isProcessImport(node))
        .map((node) => findingAt(file, node, PROCESS)),
    );
}

/** `console.log` is for people at a terminal. */
export function checkConsole(tree: Tree): readonly Finding[] {
  const printing = ['cli', 'scripts', 'bench'];
  const quiet = tree.sources.filter((file) => !printing.includes(file.workspace?.name ?? ''));
  return quiet
    .filter((file) => !isHandedIn(file))
    .flatMap((file) =>
      [...nodesOf(file.ast)]
        .filter((node) => isGlobal(node, 'console') && isMember(node, 'log'))
        .map((node) => findingAt(file, node, 'return or report the value; only commands print')),
    );
}

function judge(node: ts.Node): string | undefined {
  if (node.kind === ts.SyntaxKind.AsyncKeyword || ts.isAwaitExpression(node)) return CALLBACK;
  if (isGlobal(node, 'Math') && isMember(node, 'random')) return RANDOM;
  if (!ts.isIdentifier(node) || !isReference(node)) return undefined;
  return Object.hasOwn(FORBIDDEN_GLOBALS, node.text) ? FORBIDDEN_GLOBALS[node.text] : undefined;
}

function nodeImports(file: SourceFile): readonly Finding[] {
  if (!PURE_PACKAGES.includes(file.workspace?.name ?? '')) return [];
  return referencesOf(file)
    .filter(({ specifier }) => specifier.startsWith('node:'))
    .map(({ node }) => findingAt(file, node, 'the pure ring knows no Node: hand it in'));
}

function isHandedIn(file: SourceFile): boolean {
  return file.inSource && HANDED_IN_PACKAGES.includes(file.workspace?.name ?? '');
}

function isProduct(file: SourceFile): boolean {
  return file.path.startsWith('packages/');
}

function isGlobal(node: ts.Node, name: string): boolean {
  return ts.isIdentifier(node) && node.text === name && isReference(node);
}

function isMember(node: ts.Node, name: string): boolean {
  return ts.isPropertyAccessExpression(node.parent) && node.parent.name.text === name;
}

function isProcessImport(node: ts.Node): boolean {
  return (
    ts.isImportDeclaration(node) && /['"](node:)?process['"]/.test(node.moduleSpecifier.getText())
  );
}

/** False where the identifier only names a member or declares something of its own. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isQualifiedName(parent)) return parent.left === node;
  if (ts.isBindingElement(parent)) return parent.initializer === node;
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  return !('name' in parent && parent.name === node) && !isImportedName(node);
}

function isImportedName(node: ts.Identifier): boolean {
  return ts.isImportSpecifier(node.parent) || ts.isExportSpecifier(node.parent);
}
