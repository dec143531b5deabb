import ts from 'typescript';
import type { Finding, SourceFile, TidyFile, Tree } from './tree.js';
import { findingAt, nodesOf } from './tree.js';

const MAX_COLUMNS = 100;
const MAX_FUNCTION_LINES = 70;
const MAX_FILE_LINES = 600;

/** Code, not prose or data: what the lines of a page say of a text is up to the text. */
const CODE = /\.(ts|js|mjs|sh)$|^\.ci\/run$/;

const TEST_TITLE = /^\s*(?:(?:test|it|describe)(?:\.\w+)?\(|\)\()?(['`]).*\1, (?:async )?\(.*\{$/;

export function checkLineLength(tree: Tree): readonly Finding[] {
  return tree.files.filter(isCode).flatMap((file) =>
    file.lines.flatMap((text, index) => {
      if (text.length <= MAX_COLUMNS || isTestTitle(file, text)) return [];
      const message = `${text.length} columns of ${MAX_COLUMNS}: break the line, or name a part`;
      return [{ path: file.path, line: index + 1, message }];
    }),
  );
}

/** A test's name is the sentence it proves: it stays in one piece. */
function isTestTitle(file: TidyFile, text: string): boolean {
  return file.path.endsWith('.test.ts') && TEST_TITLE.test(text);
}

export function checkFileLength(tree: Tree): readonly Finding[] {
  return tree.files.filter(isCode).flatMap((file) => {
    // What follows the last line break is no line.
    const lines = file.lines.length - 1;
    if (lines <= MAX_FILE_LINES) return [];
    const message = `${lines} lines of ${MAX_FILE_LINES}: give the second idea a file of its own`;
    return [{ path: file.path, line: 1, message }];
  });
}

export function checkFunctionLength(tree: Tree): readonly Finding[] {
  return tree.sources.flatMap((file) => {
    const findings: Finding[] = [];
    for (const node of nodesOf(file.ast)) {
      if (!isFunction(node) || isTableOfTests(node)) continue;
      const lines = linesOf(file, node);
      if (lines <= MAX_FUNCTION_LINES) continue;
      const message = `a function of ${lines} lines of ${MAX_FUNCTION_LINES}: name its steps`;
      findings.push(findingAt(file, node, message));
    }
    return findings;
  });
}

function isCode(file: TidyFile): boolean {
  return CODE.test(file.path);
}

function linesOf(file: SourceFile, node: ts.Node): number {
  const first = file.ast.getLineAndCharacterOfPosition(node.getStart(file.ast)).line;
  return file.ast.getLineAndCharacterOfPosition(node.end).line - first + 1;
}

function isFunction(node: ts.Node): node is ts.FunctionLikeDeclaration {
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined;
}

/** `describe('…', () => { test(…); test(…) })` is a list: each test in it is measured alone. */
function isTableOfTests(node: ts.FunctionLikeDeclaration): boolean {
  if (node.body === undefined || !ts.isBlock(node.body)) return false;
  return node.body.statements.some(
    (statement) =>
      ts.isExpressionStatement(statement) &&
      /^(describe|it|test)\b/.test(statement.expression.getText()),
  );
}
