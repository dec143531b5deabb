import type { Layout } from './page-layout.js';
import { escapeText, tag } from './markup.js';
import type { Arrow, DrawnEvent, Picture, Span } from './picture.js';
import { termColour } from './term-colour.js';

const LABEL_SPACING = 13;
const TIME_SPACING = 26;
const OPERATION_COLUMNS = 4;
/** What fits beside the lanes; the header has all of it. */
const VERDICT_LENGTH = 88;

/** The picture as SVG: lanes, what lasted, arrows, dots, words. `verdict`: why it failed. */
export function drawPicture(picture: Picture, layout: Layout, verdict: string | undefined): string {
  const { width, height } = layout;
  const parts = [
    ...rails(picture, layout),
    ...picture.spans.map((span, at) => drawSpan(span, at, picture, layout)),
    ...picture.arrows.map((arrow) => drawArrow(arrow, layout)),
    ...picture.events.map((event, at) => drawDot(event, at, layout)),
    ...drawTimes(picture.events, layout),
    ...drawLabels(picture.events, layout),
    drawEnd(layout, verdict),
  ];
  return tag('svg', { width, height, viewBox: `0 0 ${width} ${height}` }, parts.join('\n'));
}

function rails({ nodes, clients }: Picture, layout: Layout): readonly string[] {
  return ['', ...nodes, ...clients].map((lane) => {
    const x = layout.x(lane);
    const part = clients.includes(lane) ? ' client-part' : '';
    return tag('line', { class: `rail${part}`, x1: x, x2: x, y1: 0, y2: layout.height });
  });
}

const ROLES: ReadonlySet<Span['type']> = new Set([
  'follower',
  'pre-candidate',
  'candidate',
  'leader',
]);

const SPAN_WIDTHS: Readonly<Record<Span['type'], number>> = {
  follower: 3,
  'pre-candidate': 5,
  candidate: 7,
  leader: 11,
  down: 20,
  frozen: 20,
  cut: 7,
  operation: 5,
  leads: 4,
};

function drawSpan(span: Span, at: number, picture: Picture, layout: Layout): string {
  const top = layout.y(span.fromIndex);
  const bottom = span.toIndex === undefined ? layout.height - 24 : layout.y(span.toIndex);
  const width = SPAN_WIDTHS[span.type];
  const isClient = picture.clients.includes(span.lane);
  return tag('rect', {
    class: `${span.type} ${span.outcome}${isClient ? ' client-part' : ''}`,
    x: layout.x(span.lane) - width / 2 + shiftOf(span, at),
    y: top,
    width,
    height: Math.max(2, bottom - top),
    rx: 2,
    ...(ROLES.has(span.type) ? { style: `fill:${termColour(span.term)}` } : {}),
    'data-words': span.words,
  });
}

/** Calls under way at once stand side by side, leaderships left of them. */
function shiftOf(span: Span, at: number): number {
  if (span.type === 'operation') return 8 + (at % OPERATION_COLUMNS) * 7;
  return span.type === 'leads' ? -9 : 0;
}

function drawArrow(arrow: Arrow, layout: Layout): string {
  const x1 = layout.x(arrow.from);
  const y1 = layout.y(arrow.sentIndex);
  const isLost = arrow.lost !== undefined;
  // A lost message ends on its way.
  const share = isLost ? 0.7 : 1;
  const x2 = x1 + (layout.x(arrow.to) - x1) * share;
  // Loss is known at once to the world: without a slope it would look like a hit.
  const endY = layout.y(arrow.endIndex);
  const y2 = isLost ? y1 + Math.max(6, (endY - y1) * share) : endY;
  const style = `stroke:${termColour(arrow.term)}`;
  const name = `arrow ${arrow.kind}`;
  const words = { 'data-words': arrow.words };
  const from = `M${round(x1)} ${round(y1)}L${round(x2)} ${round(y2)}`;
  if (!isLost) {
    const way = Math.sign(x2 - x1) * 6;
    const head = `M${round(x2 - way)} ${round(y2 - 3)}L${round(x2)} ${round(y2)}`;
    const tail = `L${round(x2 - way)} ${round(y2 + 3)}`;
    return tag('path', { class: name, d: from + head + tail, style, ...words });
  }
  const line = tag('path', { class: `${name} lost`, d: from, style, ...words });
  const cross = `M${round(x2 - 3)} ${round(y2 - 3)}l6 6m0 -6l-6 6`;
  return (
    line + tag('path', { class: `${name} cross`, d: cross, style: 'stroke:var(--bad)', ...words })
  );
}

function drawDot(event: DrawnEvent, at: number, layout: Layout): string {
  const r = event.kind === 'state' || event.kind === 'life' || event.kind === 'told' ? 3 : 2;
  const part = event.kind === 'client' ? 'client client-part' : event.kind;
  const place = { cx: layout.x(event.lane), cy: round(layout.y(event.index)), r };
  return tag('circle', { class: `dot ${part}`, ...place, 'data-event': at });
}

function drawTimes(events: readonly DrawnEvent[], layout: Layout): readonly string[] {
  let freeFrom = 0;
  return events.flatMap(({ index, atMs }) => {
    const y = layout.y(index);
    if (y < freeFrom) return [];
    freeFrom = y + TIME_SPACING;
    const place = { class: 'time', x: layout.x('') - 16, y: round(y + 4), 'text-anchor': 'end' };
    return [tag('text', place, atMs.toFixed(3))];
  });
}

/** What one would say aloud, beside the lanes; where it is crowded, a little lower. */
function drawLabels(events: readonly DrawnEvent[], layout: Layout): readonly string[] {
  let freeFrom = 0;
  return events.filter(isTold).flatMap((event) => {
    const y = layout.y(event.index);
    const labelY = Math.max(y, freeFrom);
    if (labelY > layout.height - 8) return [];
    freeFrom = labelY + LABEL_SPACING;
    const { labelsX } = layout;
    const bend = `${labelsX - 12}L${labelsX - 4}`;
    const d = `M${layout.x(event.lane)} ${round(y)}H${bend} ${round(labelY)}`;
    const part = event.kind === 'client' ? ' client-part' : '';
    const words = `${event.lane} ${labelOf(event)}`.trim();
    const place = { class: `label${part}`, x: labelsX, y: round(labelY + 4) };
    return [
      tag('path', { class: `lead-line${part}`, d }),
      tag('text', place, escapeText(words.slice(0, 96))),
    ];
  });
}

/** Of a state only its head: the card has the rest. */
function labelOf({ kind, words }: DrawnEvent): string {
  return kind === 'state' ? (words.split(',')[0] ?? words) : words;
}

function isTold({ kind, changes, words }: DrawnEvent): boolean {
  if (kind === 'life' || kind === 'told') return true;
  if (kind === 'client') return words.startsWith('leads ') || words.startsWith('writes to');
  return kind === 'state' && changes.some((it) => it.startsWith('role') || it.startsWith('term'));
}

/** Where the run ended, with the reason beside it. */
function drawEnd({ width, height, labelsX }: Layout, verdict: string | undefined): string {
  const y = height - 24;
  const name = verdict === undefined ? 'passed' : 'failed';
  const words = verdict === undefined ? 'the end: nothing is wrong' : `✗ ${verdict}`;
  const line = tag('line', { id: 'end', class: name, x1: 0, x2: width, y1: y, y2: y });
  const place = { class: `verdict ${name}`, x: labelsX, y: y + 16 };
  return line + tag('text', place, escapeText(words.slice(0, VERDICT_LENGTH)));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
