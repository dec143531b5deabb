import ts from 'typescript';
import type { Finding, SourceFile, TidyFile, Tree } from './tree.js';
import { nodesOf } from './tree.js';

/** One `#` title a page; the parts of a page are `##`. */
export function checkTitles(tree: Tree): readonly Finding[] {
  return tree.files
    .filter((file) => file.path.endsWith('.md'))
    .flatMap((file) => {
      const titles = titleLines(file);
      if (titles.length === 1) return [];
      const message = `${titles.length} titles: a page has one line with a single #`;
      return [{ path: file.path, line: titles[1] ?? 1, message }];
    });
}

const SOURCE_NAME = /`((?:packages\/)?([a-z]+)\/src\/[a-z/-]+\.ts)`/g;

/** A page that names a source file names one that is there: below the root or `packages/`. */
export function checkSourceNames(tree: Tree): readonly Finding[] {
  const paths = new Set(tree.files.map((file) => file.path));
  const pages = tree.files.filter((file) => file.path.endsWith('.md'));
  return pages.flatMap((page) =>
    page.lines.flatMap((line, index) =>
      [...line.matchAll(SOURCE_NAME)].flatMap(([, name = '']) => {
        if (paths.has(name) || paths.has(`packages/${name}`)) return [];
        return [{ path: page.path, line: index + 1, message: `there is no ${name}: name what is` }];
      }),
    ),
  );
}

const ERROR_PAGE = 'packages/protocol/README.md';
const CODE = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/;

/** What a caller can get stands in the error table of the protocol's page, by its code. */
export function checkErrorCodes(tree: Tree): readonly Finding[] {
  const page = tree.files.find((file) => file.path === ERROR_PAGE)?.text ?? '';
  const codes = new Set(tree.sources.filter(isErrorSource).flatMap(codesOf));
  const missing = [...codes].filter((code) => !page.includes(`\`${code}\``));
  if (missing.length === 0) return [];
  const message = `the error table lacks ${missing.join(', ')}: say class, meaning, what to do`;
  return [{ path: ERROR_PAGE, line: 1, message }];
}

const OPTION_PAGES = ['README.md', 'packages/cli/README.md'];

/** Every flag of the two commands stands on the root page or the page of `cli`. */
export function checkOptions(tree: Tree): readonly Finding[] {
  const pages = tree.files.filter((file) => OPTION_PAGES.includes(file.path));
  const words = new Set(pages.flatMap((page) => page.text.match(/--[a-z][a-z-]*/g) ?? []));
  const options = new Set(
    tree.sources
      .filter((file) => file.inSource && file.workspace?.name === 'cli')
      .flatMap(optionsOf),
  );
  const missing = [...options].filter((option) => !words.has(option));
  if (missing.length === 0) return [];
  const message = `no table has ${missing.join(', ')}: say what it does and its default`;
  return [{ path: 'packages/cli/README.md', line: 1, message }];
}

function titleLines(file: TidyFile): readonly number[] {
  const titles: number[] = [];
  let fenced = false;
  for (const [index, line] of file.lines.entries()) {
    if (line.startsWith('```')) fenced = !fenced;
    else if (!fenced && line.startsWith('# ')) titles.push(index + 1);
  }
  return titles;
}

/** The table of the protocol, and the refusals of the state machine that it is typed over. */
function isErrorSource(file: SourceFile): boolean {
  return /^packages\/protocol\/src\/.*error.*\.ts$/.test(file.path) && file.inSource;
}

function codesOf(file: SourceFile): readonly string[] {
  return [...nodesOf(file.ast)].flatMap((node) => {
    if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name)) return codeIn(node.name.text);
    return ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal)
      ? codeIn(node.literal.text)
      : [];
  });
}

function codeIn(text: string): readonly string[] {
  return CODE.test(text) ? [text] : [];
}

/** The long flags in `.option('-o, --output <format>', …)` and `new Option('--ttl <duration>')`. */
function optionsOf(file: SourceFile): readonly string[] {
  return [...nodesOf(file.ast)].flatMap((node) => {
    if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return [];
    if (!/\b([oO]ption|requiredOption)$/.test(node.expression.getText(file.ast))) return [];
    const [flags] = node.arguments ?? [];
    if (flags === undefined || !ts.isStringLiteralLike(flags)) return [];
    return flags.text.match(/--[a-z][a-z-]*/g) ?? [];
  });
}
