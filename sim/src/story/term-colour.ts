/** Violet to pink: no hue of the legend is near. */
const HUES = [258, 326, 292];
const TONES = ['--tone', '--tone-deep', '--tone-pale'];

/** Neighbouring terms differ in both; after nine they come again. */
export function termColour(term: number): string {
  if (term === 0) return 'var(--faint)';
  const at = term - 1;
  const hue = HUES[at % HUES.length] ?? 0;
  const tone = TONES[(at + Math.floor(at / HUES.length)) % TONES.length] ?? '';
  return `hsl(${hue} 65% var(${tone}))`;
}
