import { describe, expect, it } from 'vitest';
import { AnchorLost, plant } from '../../src/planted/plant.js';

const SOURCE = 'if (term > known) adopt(term);\nif (index > known) commit(index);\n';
const FILE = 'packages/raft/src/any.ts';

describe('planting', () => {
  it('replaces the anchor and leaves the rest as it is', () => {
    const edit = { file: FILE, anchor: 'term > known', replacement: 'term >= known' };
    expect(plant(SOURCE, [edit])).toBe(SOURCE.replace('term > known', 'term >= known'));
  });

  it('makes several edits of one file', () => {
    const edits = [
      { file: FILE, anchor: 'term > known', replacement: 'true' },
      { file: FILE, anchor: 'index > known', replacement: 'false' },
    ];
    expect(plant(SOURCE, edits)).toBe('if (true) adopt(term);\nif (false) commit(index);\n');
  });

  it('refuses an anchor that the source does not have', () => {
    const edit = { file: FILE, anchor: 'term < known', replacement: 'true' };
    expect(() => plant(SOURCE, [edit])).toThrow(AnchorLost);
  });

  it('refuses an anchor that stands twice', () => {
    const edit = { file: FILE, anchor: ' > known', replacement: ' >= known' };
    expect(() => plant(SOURCE, [edit])).toThrow('2 times');
  });
});
