import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** An empty directory that is gone after the test. */
export function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'raftd-storage-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
