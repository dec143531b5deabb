import { describe, expect, it } from 'vitest';
import { PAGE_STYLE } from '../../src/story/page-style.js';
import { termColour } from '../../src/story/term-colour.js';

function hueOf(red: number, green: number, blue: number): number {
  const max = Math.max(red, green, blue);
  const spread = max - Math.min(red, green, blue);
  if (max === red) return (60 * ((green - blue) / spread) + 360) % 360;
  return 60 * (max === green ? 2 + (blue - red) / spread : 4 + (red - green) / spread);
}

const meanings = ['bad', 'cold', 'gold', 'good'].flatMap((name) =>
  [...PAGE_STYLE.matchAll(new RegExp(`--${name}: #(..)(..)(..);`, 'g'))].map(([, ...parts]) => {
    const [red = 0, green = 0, blue = 0] = parts.map((part) => Number.parseInt(part, 16));
    return hueOf(red, green, blue);
  }),
);

describe('the colour of a term', () => {
  it('is none of those that mean something else', () => {
    expect(meanings).toHaveLength(8);
    for (let term = 1; term <= 40; term += 1) {
      const hue = Number(/^hsl\((\d+) /.exec(termColour(term))?.[1]);
      for (const meaning of meanings) {
        const apart = Math.abs(hue - meaning);
        expect(Math.min(apart, 360 - apart)).toBeGreaterThan(30);
      }
    }
  });

  it('is another for each of nine terms in a row', () => {
    for (let term = 1; term <= 40; term += 1) {
      const row = Array.from({ length: 9 }, (_, at) => termColour(term + at));
      expect(new Set(row).size).toBe(9);
    }
  });
});
