import type { StormFailure } from '../storm/failure.js';
import type { StormPlan } from '../storm/plan.js';
import { countOf, describeFaults, describeSize } from './describe-plan.js';
import { embedJson, escapeText, tag } from './markup.js';
import { drawPicture } from './page-drawing.js';
import type { Layout } from './page-layout.js';
import { layOut } from './page-layout.js';
import { PAGE_SCRIPT } from './page-script.js';
import { PAGE_STYLE } from './page-style.js';
import type { Kind, Picture } from './picture.js';
import { termColour } from './term-colour.js';

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
  eventsLeftOut: 0,
  hasHeartbeats: false,
};

const SWITCHES: readonly (readonly [kind: Kind, label: string])[] = [
  ['message', 'messages'],
  ['heartbeat', 'heartbeats'],
  ['disk', 'disk'],
  ['apply', 'applied'],
  ['client', 'clients'],
];

const EVENTS_OF_ENDING = 8;

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
  const bar = [drawSwitches(picture, failure), drawLaneNames(picture, layout)].join('\n');
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    tag('title', {}, escapeText(title)),
    tag('style', {}, PAGE_STYLE),
    '</head><body>',
    drawHeader(title, plan, failure, picture),
    tag('div', { id: 'bar', style: `width:${layout.width}px` }, bar),
    drawPicture(picture, layout, failure?.sentence),
    '<div id="tip"></div>',
    tag('script', { id: 'events', type: 'application/json' }, embedJson(events)),
    tag('script', {}, PAGE_SCRIPT),
    '</body></html>',
    '',
  ].join('\n');
}

function drawHeader(
  title: string,
  plan: StormPlan,
  failure: StormFailure | undefined,
  picture: Picture,
): string {
  const sentence = failure === undefined ? 'Nothing is wrong in this storm.' : failure.sentence;
  const found =
    failure === undefined
      ? ''
      : `found by ${failure.checker} at ${failure.atMs.toFixed(3)} ms of true time · `;
  const world = `${describeSize(plan.profile)}, ${countOf(plan.commands.length, 'command')}`;
  return tag(
    'header',
    {},
    [
      tag('h1', { class: failure === undefined ? '' : 'failed' }, escapeText(sentence)),
      tag('p', {}, escapeText(`${found}${title} · ${world}`)),
      tag('p', {}, escapeText(describeFaults(plan))),
      tag('p', {}, escapeText(describeShown(picture))),
      ...(failure === undefined ? [] : [drawEnding(failure, picture)]),
      drawLegend(),
    ].join('\n'),
  );
}

/** What led to it, before anybody scrolls. */
function drawEnding({ sentence }: StormFailure, { events }: Picture): string {
  const lines = events
    .slice(-EVENTS_OF_ENDING)
    .map(({ atMs, lane, words }) => `${atMs.toFixed(3).padStart(12)}  ${lane.padEnd(4)}${words}`);
  const verdict = tag('b', {}, escapeText(`${' '.repeat(10)}✗   ${sentence}`));
  const title = tag('p', {}, 'how it ended');
  return title + tag('pre', { id: 'ending' }, [escapeText(lines.join('\n')), verdict].join('\n'));
}

function describeShown(picture: Picture): string {
  const { events, eventsInAll, eventsLeftOut, hasHeartbeats } = picture;
  const last = events.length < eventsInAll ? 'the last ' : '';
  const which = hasHeartbeats ? 'steps' : 'heartbeats and steps';
  return (
    `${last}${events.length} of ${eventsInAll} events shown; ` +
    `left out: ${eventsLeftOut} ${which} that change nothing`
  );
}

function drawLegend(): string {
  const items = [
    [gradient([1, 2, 3]), 'violet to pink: a colour each term, wide where it leads'],
    ['var(--bad)', 'down, cut, refused'],
    ['var(--cold)', 'frozen'],
    ['var(--gold)', 'leads an election; outcome unknown'],
    ['var(--good)', 'answered'],
    ['var(--faint)', 'a call under way; no term yet'],
  ] as const;
  const parts = items.map(
    ([colour, words]) => `${tag('i', { style: `background:${colour}` })}${words}`,
  );
  return tag('p', { class: 'legend' }, `${parts.join('')} · dashed: never arrives`);
}

function gradient(terms: readonly number[]): string {
  return `linear-gradient(90deg,${terms.map(termColour).join()})`;
}

function drawSwitches({ hasHeartbeats }: Picture, failure: StormFailure | undefined): string {
  const boxes = SWITCHES.filter(([kind]) => kind !== 'heartbeat' || hasHeartbeats).map(
    ([kind, label]) =>
      `<label><input type="checkbox" name="${kind}" checked> ${escapeText(label)}</label>`,
  );
  const jump = failure === undefined ? 'jump to the end ↓' : 'jump to the failure ↓';
  const links = [
    tag('a', { id: 'top', href: '#top' }, 'jump to the start ↑'),
    tag('a', { id: 'jump', href: '#end' }, jump),
  ];
  return tag('nav', {}, [...boxes, ...links].join('\n'));
}

function drawLaneNames({ nodes, clients }: Picture, layout: Layout): string {
  const names = [
    ['world', ''] as const,
    ...nodes.map((lane) => ['node', lane] as const),
    ...clients.map((lane) => ['client', lane] as const),
  ].map(([type, lane]) => {
    const name = type === 'world' ? 'world' : lane;
    return tag('b', { class: type, style: `left:${layout.x(lane)}px` }, escapeText(name));
  });
  const time = tag('b', { class: 'world', style: 'left:44px' }, 'true ms');
  return tag('div', { id: 'lanes' }, [time, ...names].join('\n'));
}
