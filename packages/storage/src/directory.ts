import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Makes `path` and what is missing above it, so that they are still there after a power cut. */
export function makeDirectory(path: string): void {
  const target = resolve(path);
  const firstMade = mkdirSync(target, { recursive: true });
  if (firstMade === undefined) return;
  const top = dirname(resolve(firstMade));
  for (let made = target; made !== top; made = dirname(made)) syncDirectory(dirname(made));
}

/** A new name in a directory survives a power cut only once the directory itself is synced. */
export function syncDirectory(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
