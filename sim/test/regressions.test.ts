import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Schedule } from '../src/index.js';
import { retell } from '../src/index.js';

const folder = new URL('./regressions/', import.meta.url);

/** Every schedule that ever failed, or that leads somewhere worth going again, passes for good. */
describe('schedules that once failed', () => {
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
    it(name.replace('.json', '').replaceAll('-', ' '), () => {
      const schedule = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Schedule;
      const { failure, lines } = retell(schedule);
      expect(failure, lines.slice(-60).join('\n')).toBeUndefined();
    });
  }
});
