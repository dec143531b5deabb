import type { StormFailure } from '../storm/failure.js';
import type { StormPlan } from '../storm/plan.js';
import { embedJson, escapeText, tag } from './markup.js';
import { drawPicture } from './page-drawing.js';
import type { Layout } from './page-layout.js';
import { layOut } from './page-layout.js';
import { PAGE_SCRIPT } from './page-script.js';
import { PAGE_STYLE } from './page-style.js';
import type { Picture } from './picture.js';

export interface Page {
  readonly plan: StormPlan;
  readonly failure: StormFailure | undefined;
  /** Undefined: the run broke off before there was anything to see. */
  readonly picture: Picture | undefined;
}

const EMPTY: Picture = {
  nodes: [],
  clients: [],
  events: [],
  arrows: [],
  spans: [],
  eventsInAll: 0,
};

const SWITCHES: readonly (readonly [name: string, label: string, isOn: boolean])[] = [
  ['message', 'messages', true],
  ['heartbeat', 'heartbeats', true],
  ['disk', 'disk', true],
  ['apply', 'applied', true],
  ['client', 'clients', true],
];

/** A run as one HTML file that needs nothing else: open it, and hover. */
export function drawPage({ plan, failure, picture = EMPTY }: Page): string {
  const layout = layOut(picture);
  const { seed } = plan;
  const title = `storm 0x${seed.toString(16).padStart(8, '0')}`;
  const events = picture.events.map(({ atMs, lane, words, changes }) => [
    atMs.toFixed(3),
    lane,
    words,
    changes,
  ]);
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    tag('title', {}, escapeText(title)),
    tag('style', {}, PAGE_STYLE),
    '</head><body>',
    drawHeader(title, plan, failure, picture),
    drawSwitches(failure !== undefined),
    drawLaneNames(picture, layout),
    drawPicture(picture, layout, failure !== undefined),
    '<div id="tip"></div>',
    tag('script', { id: 'events', type: 'application/json' }, embedJson(events)),
    tag('script', {}, PAGE_SCRIPT),
    '</body></html>',
    '',
  ].join('\n');
}

function drawHeader(
  title: string,
  { profile, commands }: StormPlan,
  failure: StormFailure | undefined,
  { events, eventsInAll }: Picture,
): string {
  const sentence = failure === undefined ? 'Nothing is wrong in this storm.' : failure.sentence;
  const found =
    failure === undefined
      ? ''
      : `found by ${failure.checker} at ${failure.atMs.toFixed(3)} ms of true time · `;
  const { nodeCount, clientCount, faults } = profile;
  const shown = `${events.length} of ${eventsInAll} events shown`;
  const world = `${nodeCount} nodes, ${clientCount} clients, ${commands.length} commands`;
  const kinds = faults.length === 0 ? 'no further faults' : faults.join(', ');
  return tag(
    'header',
    {},
    [
      tag('h1', { class: failure === undefined ? '' : 'failed' }, escapeText(sentence)),
      tag('p', {}, escapeText(`${found}${title} · ${world} · ${shown}`)),
      tag('p', {}, escapeText(kinds)),
      drawLegend(),
    ].join('\n'),
  );
}

function drawLegend(): string {
  const items = [
    ['var(--faint)', 'lane: one colour a term, wide where it leads'],
    ['var(--bad)', 'down, cut, refused'],
    ['var(--cold)', 'frozen'],
    ['var(--gold)', 'leads an election; outcome unknown'],
    ['var(--good)', 'answered'],
  ] as const;
  const parts = items.map(
    ([colour, words]) => `${tag('i', { style: `background:${colour}` })}${words}`,
  );
  return tag('p', { class: 'legend' }, `${parts.join('')} · dashed: never arrives`);
}

function drawSwitches(hasFailed: boolean): string {
  const boxes = SWITCHES.map(([name, label, isOn]) => {
    const checked = isOn ? ' checked' : '';
    return `<label><input type="checkbox" name="${name}"${checked}> ${label}</label>`;
  });
  const jump = hasFailed ? 'jump to the failure ↓' : 'jump to the end ↓';
  return tag('nav', {}, [...boxes, tag('a', { id: 'jump', href: '#end' }, jump)].join('\n'));
}

function drawLaneNames({ nodes, clients }: Picture, layout: Layout): string {
  const names = [
    ...nodes.map((lane) => ['node', lane] as const),
    ...clients.map((lane) => ['client', lane] as const),
  ].map(([type, lane]) =>
    tag('b', { class: type, style: `left:${layout.x(lane)}px` }, escapeText(lane)),
  );
  return tag('div', { id: 'lanes', style: `width:${layout.width}px` }, names.join('\n'));
}
