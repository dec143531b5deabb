import ts from 'typescript';
import type { SourceFile } from './tree.js';
import { nodesOf } from './tree.js';

/** One module that a file refers to. */
export interface Reference {
  readonly specifier: string;
  /** True for `import type` and `export type`, and for `import('x').T` in a type. */
  readonly typeOnly: boolean;
  readonly node: ts.Node;
}

/** Everything the file imports, re-exports or loads by `import()`. */
export function referencesOf(file: SourceFile): readonly Reference[] {
  const references: Reference[] = [];
  for (const node of nodesOf(file.ast)) {
    const found = specifierOf(node);
    if (found === undefined || !ts.isStringLiteralLike(found.specifier)) continue;
    references.push({ specifier: found.specifier.text, typeOnly: found.typeOnly, node });
  }
  return references;
}

function specifierOf(node: ts.Node): { specifier: ts.Node; typeOnly: boolean } | undefined {
  if (ts.isImportDeclaration(node)) {
    // `import { type A }` still loads the module at run time; only `import type` does not.
    const typeOnly = node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
    return { specifier: node.moduleSpecifier, typeOnly };
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
    return { specifier: node.moduleSpecifier, typeOnly: node.isTypeOnly };
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return { specifier: node.argument.literal, typeOnly: true };
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [specifier] = node.arguments;
    return specifier === undefined ? undefined : { specifier, typeOnly: false };
  }
  return undefined;
}

/** The path of a relative specifier, from the root, as the TypeScript file that it names. */
export function resolveRelative(from: string, specifier: string): string {
  const parts = from.split('/').slice(0, -1);
  for (const part of specifier.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/').replace(/\.js$/, '.ts');
}
