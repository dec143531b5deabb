import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from './usage-error.js';

/** @throws {UsageError} `FILE_UNREADABLE` */
export function readText(path: string): string {
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
