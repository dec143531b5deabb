/**
 * What the page does by itself: switches, and the card of the event under the pointer. Plain
 * text of a browser's script; `events` holds [time, lane, words, changes].
 */
export const PAGE_SCRIPT = `
const events = JSON.parse(document.getElementById('events').textContent);
const drawing = document.querySelector('svg');
const tip = document.getElementById('tip');
for (const box of document.querySelectorAll('nav input')) {
  const apply = () => drawing.classList.toggle('hide-' + box.name, !box.checked);
  box.addEventListener('change', apply);
  apply();
}
const line = (text, name) => {
  const part = document.createElement('div');
  part.textContent = text;
  part.className = name;
  return part;
};
drawing.addEventListener('pointermove', (move) => {
  const at = move.target.dataset?.event;
  if (at === undefined && move.target.dataset?.words === undefined) {
    tip.style.display = 'none';
    return;
  }
  if (at === undefined) {
    tip.replaceChildren(line(move.target.dataset.words, ''));
  } else {
    const [time, lane, words, changes] = events[at];
    const head = document.createElement('b');
    head.textContent = time + ' ms' + (lane === '' ? '' : '  ' + lane);
    tip.replaceChildren(head, line(words, ''), ...changes.map((it) => line(it, 'change')));
  }
  tip.style.display = 'block';
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = Math.min(move.clientX + 14, innerWidth - width - 8) + 'px';
  tip.style.top = Math.min(move.clientY + 14, innerHeight - height - 8) + 'px';
});
drawing.addEventListener('pointerleave', () => { tip.style.display = 'none'; });
const toEnd = () => scrollTo({ left: 0, top: document.documentElement.scrollHeight });
document.getElementById('jump').addEventListener('click', (click) => {
  click.preventDefault();
  toEnd();
});
document.getElementById('top').addEventListener('click', (click) => {
  click.preventDefault();
  scrollTo({ left: 0, top: 0 });
});
`;
