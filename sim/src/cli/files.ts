import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from './usage-error.js';

/** Of regular files alone: a pipe might never end. @throws {UsageError} `FILE_UNREADABLE` */
export function readText(path: string): string {
  let isFile: boolean;
  try {
    isFile = statSync(path).isFile();
  } catch (error) {
    throw new UsageError('FILE_UNREADABLE', `${path}: ${reasonOf(error)}`);
  }
  if (!isFile) throw new UsageError('FILE_UNREADABLE', `${path}: no regular file`);
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError('FILE_UNREADABLE', `${path}: ${reasonOf(error)}`);
  }
}

/** Makes the directory too. @throws {UsageError} `FILE_UNWRITABLE` */
export function writeText(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } catch (error) {
    throw new UsageError('FILE_UNWRITABLE', `${path}: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
