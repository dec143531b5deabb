import ts from 'typescript';
import type { Finding, SourceFile, Tree } from './tree.js';
import { findingAt, nodesOf } from './tree.js';

/** Language that the house does without. Lint has the rules that need types. */
export function checkSyntax(tree: Tree): readonly Finding[] {
  return tree.sources.flatMap((file) =>
    [...nodesOf(file.ast)].flatMap((node) => {
      const message = judge(node, file);
      return message === undefined ? [] : [findingAt(file, node, message)];
    }),
  );
}

/** Every test runs, always: a test that is left out proves nothing and looks as if it did. */
export function checkFocus(tree: Tree): readonly Finding[] {
  return tree.sources.flatMap((file) =>
    [...nodesOf(file.ast)].filter(isFocused).map((node) => {
      const message = `run the test or delete it: no ${node.getText(file.ast)}`;
      return findingAt(file, node, message);
    }),
  );
}

function judge(node: ts.Node, file: SourceFile): string | undefined {
  if (ts.isEnumDeclaration(node)) return "use a union of texts: 'probe' | 'replicate'";
  if (ts.isModuleDeclaration(node)) return 'use a module; a file is a namespace';
  if (ts.isExportDeclaration(node) && !hasNamedExports(node)) {
    return 'list the exports by name: the door of a package is read by people';
  }
  if (isDefaultExport(node) && !isConfiguration(file)) return 'export it by its name';
  return undefined;
}

function hasNamedExports(node: ts.ExportDeclaration): boolean {
  return node.exportClause !== undefined && ts.isNamedExports(node.exportClause);
}

function isDefaultExport(node: ts.Node): boolean {
  return (
    ts.isExportAssignment(node) || (node.kind === ts.SyntaxKind.DefaultKeyword && isExported(node))
  );
}

function isExported(keyword: ts.Node): boolean {
  const { parent } = keyword;
  if (!ts.canHaveModifiers(parent)) return false;
  return ts.getModifiers(parent)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
}

/** Tools ask for a default export of their configuration. */
function isConfiguration(file: SourceFile): boolean {
  return file.workspace === undefined && file.path.endsWith('.config.ts');
}

function isFocused(node: ts.Node): boolean {
  return (
    ts.isPropertyAccessExpression(node) &&
    /^(describe|it|suite|test)\b/.test(node.expression.getText()) &&
    ['only', 'skip', 'todo'].includes(node.name.text)
  );
}
