import type { Finding, Tree } from './tree.js';

interface Word {
  readonly pattern: RegExp;
  readonly message: string;
}

// Split or escaped, so that this file does not hold what it looks for.
const WORDS: readonly Word[] = [
  {
    pattern: new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX'].join('|')})\\b`),
    message: 'do it, or file an issue',
  },
  {
    pattern: /(eslint|biome|ts)-(disable|ignore|nocheck|expect-error)/,
    message: 'satisfy the rule, or change it for everyone',
  },
  {
    pattern: /(^|[^\w.~-])\/(work|root|home|Users)\/[\w.]/,
    message: 'a path of one machine: make it relative to the checkout',
  },
  {
    pattern: /\bregistry\.[\w-]+\.\w{2,}|\bnpmjs\.(org|com)\b|\bdebian\.org\b/,
    message: 'a registry host: name the package, and leave the host to the client',
  },
];

/** Words that must not stay in any tracked file. */
export function checkWords(tree: Tree): readonly Finding[] {
  const findings: Finding[] = [];
  for (const file of tree.files) {
    for (const { pattern, message } of WORDS) {
      if (!pattern.test(file.text)) continue;
      for (const [index, line] of file.lines.entries()) {
        if (pattern.test(line)) findings.push({ path: file.path, line: index + 1, message });
      }
    }
  }
  return findings;
}

const IGNORE = /[/*]\s*(v8|c8|istanbul) ignore\b/;
const NEVER_ARM =
  /^\s*(default:\s*\{?|case [^:]+:|\}?\s*else)?\s*((return|throw) )?(assertNever\(.*)?$/;

/** A branch may be left out of the coverage only where the compiler proves that none gets there. */
export function checkCoverageIgnores(tree: Tree): readonly Finding[] {
  return tree.sources.flatMap((file) =>
    file.lines.flatMap((line, index) => {
      if (!IGNORE.test(line)) return [];
      const [arm = '', body = ''] = file.lines.slice(index + 1);
      const next = arm.includes('assertNever(') ? [arm] : [arm, body];
      const proven = next.every((it) => NEVER_ARM.test(it)) && next.join().includes('assertNever(');
      if (proven && line.includes('v8 ignore next')) return [];
      const message = 'write the test: only an assertNever arm is left out, and that by itself';
      return [{ path: file.path, line: index + 1, message }];
    }),
  );
}
