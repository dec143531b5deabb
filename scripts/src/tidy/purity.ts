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

/** Parts of sim that are programs around the world, not in it. */
const PROGRAMS = ['sim/src/cli/', 'sim/src/planted/'];
/** Where promises of the client library are waited for. */
const PROMISING = [
  'sim/src/replay/',
  'sim/src/workload/',
  'sim/src/storm/drain.ts',
  'sim/src/storm/liveness.ts',
  'sim/src/storm/run.ts',
];
const PROCESS_MEMBERS = ['env', 'argv', 'exit', 'hrtime', 'nextTick', 'cpuUsage', 'memoryUsage'];
/** ECMAScript leaves the last digits of these to the engine. */
const INEXACT = 'exp expm1 log log1p log2 log10 pow sin cos tan asin acos atan atan2'.split(' ');

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

/**
 * What runs inside a simulated world is a function of its seed: no clock, timer or randomness, and
 * promises only where the client library, which is promise-based, is driven.
 */
export function checkSimulated(tree: Tree): readonly Finding[] {
  return tree.sources.filter(isSimulated).flatMap((file) => [
    ...nodeImports(file),
    ...[...nodesOf(file.ast)].flatMap((node) => {
      const message = judgeSimulated(file, node);
      return message === undefined ? [] : [findingAt(file, node, message)];
    }),
  ]);
}

/** What may come out otherwise on another engine, or by another order of insertion. */
export function checkSameEverywhere(tree: Tree): readonly Finding[] {
  const files = tree.sources.filter((file) => isHandedIn(file) || isSimulated(file));
  return files.flatMap((file) =>
    [...nodesOf(file.ast)].flatMap((node) => {
      const message = judgeSameEverywhere(node);
      return message === undefined ? [] : [findingAt(file, node, message)];
    }),
  );
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

/** Only commands print: elsewhere what is printed is noise to whoever uses the code. */
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

function judgeSimulated(file: SourceFile, node: ts.Node): string | undefined {
  const message = judge(node);
  if (isTurn(file, node)) return undefined;
  // A simulated process goes by that name; the real one is known by what is asked of it.
  if (message === PROCESS)
    return PROCESS_MEMBERS.some((it) => isMember(node, it)) ? PROCESS : undefined;
  return message === CALLBACK && drivesClients(file) ? undefined : message;
}

/** Between two events of a storm the promises of the client library come to rest: one turn. */
function isTurn(file: SourceFile, node: ts.Node): boolean {
  if (file.path !== 'sim/src/storm/drain.ts') return false;
  return (
    isGlobal(node, 'setImmediate') || (isGlobal(node, 'process') && isMember(node, 'nextTick'))
  );
}

function judgeSameEverywhere(node: ts.Node): string | undefined {
  if (isGlobal(node, 'Math') && INEXACT.some((name) => isMember(node, name))) {
    return 'engines may round it differently: use whole numbers, or what IEEE 754 defines';
  }
  if (!ts.isCallExpression(node) || node.arguments.length > 0) return undefined;
  const { expression } = node;
  if (!ts.isPropertyAccessExpression(expression)) return undefined;
  return ['sort', 'toSorted'].includes(expression.name.text)
    ? 'say by what: sort without a comparator sorts by text'
    : undefined;
}

function judge(node: ts.Node): string | undefined {
  if (node.kind === ts.SyntaxKind.AsyncKeyword || ts.isAwaitExpression(node)) return CALLBACK;
  if (isGlobal(node, 'Math') && isMember(node, 'random')) return RANDOM;
  if (!ts.isIdentifier(node) || !isReference(node)) return undefined;
  return Object.hasOwn(FORBIDDEN_GLOBALS, node.text) ? FORBIDDEN_GLOBALS[node.text] : undefined;
}

function nodeImports(file: SourceFile): readonly Finding[] {
  if (!isSimulated(file) && !PURE_PACKAGES.includes(file.workspace?.name ?? '')) return [];
  return referencesOf(file)
    .filter(({ specifier }) => specifier.startsWith('node:'))
    .map(({ node }) => findingAt(file, node, 'the pure ring knows no Node: hand it in'));
}

function isSimulated(file: SourceFile): boolean {
  if (!file.inSource || file.workspace?.name !== 'sim') return false;
  return !PROGRAMS.some((folder) => file.path.startsWith(folder));
}

function drivesClients(file: SourceFile): boolean {
  return PROMISING.some((place) => file.path.startsWith(place));
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
