import { readFileSync } from 'node:fs';
import ts from 'typescript';
import type { Edit, PlantedBug } from './bug.js';
import { loadedMark } from './loaded.js';
import { AnchorLost, plant } from './plant.js';

/** From the sources as from the build, the root is three levels up. */
const ROOT = new URL('../../../', import.meta.url);

/** Modules to be loaded in place of what is on disk: URL → JavaScript. */
export type Patch = readonly (readonly [url: string, source: string])[];

/**
 * Builds the modules that a bug changes, from their present sources.
 * @throws {AnchorLost}
 * @throws {SyntaxError} naming the file.
 */
export function patchOf(bug: Pick<PlantedBug, 'edits'>): Patch {
  const files = new Map<string, Edit[]>();
  for (const edit of bug.edits) {
    const edits = files.get(edit.file);
    if (edits === undefined) files.set(edit.file, [edit]);
    else edits.push(edit);
  }
  return Array.from(files, ([file, edits]) => {
    const planted = plant(readFileSync(new URL(file, ROOT), 'utf8'), edits);
    return [buildUrlOf(file), transpile(file, planted) + loadedMark()] as const;
  });
}

/** Whether the catalogue is to blame: the source has changed, or the edit is no TypeScript. */
export function isUnplantable(error: unknown): error is AnchorLost | SyntaxError {
  return error instanceof AnchorLost || error instanceof SyntaxError;
}

function buildUrlOf(file: string): string {
  return new URL(file.replace('/src/', '/dist/').replace(/\.ts$/, '.js'), ROOT).href;
}

/**
 * Types are not looked at: a mistake may well leave an import unused.
 * @throws {SyntaxError} naming the file.
 */
function transpile(fileName: string, source: string): string {
  const { outputText, diagnostics = [] } = ts.transpileModule(source, {
    fileName,
    reportDiagnostics: true,
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
    },
  });
  const [first] = diagnostics;
  if (first === undefined) return outputText;
  throw new SyntaxError(`${fileName}: ${ts.flattenDiagnosticMessageText(first.messageText, '\n')}`);
}
