import type { Finding, Tree } from './tree.js';

const DRAWER = /(^|\/)(utils?|common|helpers?|misc|shared|lib)(\.[^/]*|\/[^/]+|$)/;
const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)*\.ts$/;

/** A file is called after the one idea in it. */
export function checkNames(tree: Tree): readonly Finding[] {
  return tree.files.flatMap((file) => {
    const message = judge(file.path);
    return message === undefined ? [] : [{ path: file.path, line: 1, message }];
  });
}

function judge(path: string): string | undefined {
  if (DRAWER.test(path)) return 'a drawer: name the file after the idea in it';
  const name = path.split('/').at(-1) ?? path;
  if (name.endsWith('.ts') && !KEBAB_CASE.test(name)) return 'file names are kebab-case';
  return undefined;
}
