import { describe, expect, it } from 'vitest';
import { drawPlan } from '../../src/replay/draw-plan.js';
import { retellPlan } from '../../src/replay/retell.js';
import { LastLines } from '../../src/story/last-lines.js';
import { CoreEngine, planOf } from '../support/core-engine.js';

const engine = new CoreEngine((done) =>
  done.at(-1)?.type === 'thaw'
    ? { checker: 'S10', sentence: 'Term 2 has <two> leaders.' }
    : undefined,
);
const plan = planOf(7, 2_000, [
  [600, { type: 'freeze', node: 'leader' }],
  [700, { type: 'operate', client: 1, operation: { type: 'get', key: 1, stale: false } }],
  [900, { type: 'crash', node: 1, landed: 'nothing' }],
  [1_200, { type: 'restart', node: 1 }],
  [1_400, { type: 'thaw', node: 0, timersFirst: false }],
]);

describe('the story of a run', () => {
  it('stands in columns: every line has its words at the same place', async () => {
    const lines: string[] = [];
    const told = await retellPlan(engine, plan, {
      last: 5,
      tell: (line) => lines.push(line),
      heartbeats: true,
    });
    const column = told.heading.at(-1)?.indexOf('what happened');
    expect(column).toBeGreaterThan(60);
    const events = lines.slice(told.heading.length);
    expect(events.length).toBe(told.lines);
    for (const line of events) expect(line.slice(Number(column) - 2, Number(column))).toBe('  ');
    expect(told.lastLines).toEqual(events.slice(-5));
  });

  it('begins with its legend and the names of its columns', async () => {
    const lines: string[] = [];
    const { heading } = await retellPlan(engine, plan, {
      last: 5,
      tell: (line) => lines.push(line),
      heartbeats: false,
    });
    expect(lines.slice(0, heading.length)).toEqual(heading);
    const legend = heading.join('\n');
    for (const sign of ['5/1 ', 'com/app ', 'log 1:5 ', 'landed whole, torn, nothing', '* leader'])
      expect(legend).toContain(sign);
    for (const line of heading) expect(line.length).toBeLessThanOrEqual(100);
  });

  it('tells roles, crashes, freezes and what clients do', async () => {
    const { lastLines } = await retellPlan(engine, plan, { last: 10_000, heartbeats: true });
    const text = lastLines.join('\n');
    for (const mark of ['! ', '^ ', '~ ', '* ', '% ']) expect(text).toContain(mark);
    expect(text).toMatch(/c1 +#\d+ get k1 …/);
    expect(text).toContain('--- freeze leader');
    expect(text).toContain('--- crash n2 landed nothing');
    expect(text).toContain('--- c2: get k1');
    expect(text).toMatch(/leader +\d+ +1:\d+ +\d+\/\d+ +\d+/);
  });

  it('leaves out heartbeats where they hide the rest', async () => {
    const { lastLines } = await retellPlan(engine, plan, { last: 10_000, heartbeats: false });
    const text = lastLines.join('\n');
    expect(text).not.toMatch(/(sends|hears) n\d→n\d t\d heartbeat/);
    expect(text).toContain('pre-vote');
  });

  it('is the same twice, to the letter', async () => {
    const one = await retellPlan(engine, plan, { last: 10_000, heartbeats: true });
    const two = await retellPlan(engine, plan, { last: 10_000, heartbeats: true });
    expect(two).toEqual(one);
  });

  it('keeps its last lines, however long it is', () => {
    const kept = new LastLines(3);
    for (const line of ['a', 'b', 'c', 'd', 'e']) kept.add(line);
    expect(kept.lines()).toEqual(['c', 'd', 'e']);
    expect(kept.count).toBe(5);
  });
});

describe('the drawing of a run', () => {
  it('is one page that needs nothing from elsewhere', async () => {
    const page = await drawPlan(engine, plan, { events: 3_000, heartbeats: true });
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).not.toMatch(/https?:|src=|@import|url\(/);
    expect(page).toContain('Term 2 has &lt;two&gt; leaders.');
    expect(page).toContain('jump to the failure');
  });

  it('shows leaders by the colour of their term, crashes, freezes and lost messages', async () => {
    const page = await drawPlan(engine, plan, { events: 3_000, heartbeats: true });
    for (const name of ['leader', 'down', 'frozen', 'operation answered client-part']) {
      expect(page).toContain(`<rect class="${name}`);
    }
    expect(page).toMatch(/class="arrow message lost"/);
    expect(page).toMatch(/fill:hsl\(\d+ 65% var\(--tone(-deep|-pale)?\)\)"/);
  });

  it('says why it failed where it ended, and what came before at the top', async () => {
    const page = await drawPlan(engine, plan, { events: 3_000, heartbeats: false });
    const [top = '', drawing = ''] = page.split('<svg');
    expect(top).toMatch(/how it ended.*1400\.000 +(n1)? *--- thaw n1.*✗ +Term 2 has &lt;two&gt;/s);
    expect(drawing).toContain('>✗ Term 2 has &lt;two&gt; leaders.<');
  });

  it('has a switch for heartbeats only if it has heartbeats', async () => {
    const box = '<input type="checkbox" name="heartbeat" checked>';
    const without = await drawPlan(engine, plan, { events: 100, heartbeats: false });
    const withThem = await drawPlan(engine, plan, { events: 100, heartbeats: true });
    expect(without).not.toContain(box);
    expect(without).toMatch(/left out: \d+ heartbeats and steps that change nothing/);
    expect(withThem).toContain(box);
    expect(withThem).toMatch(/left out: \d+ steps that change nothing/);
  });

  it('names every lane, and the time', async () => {
    const page = await drawPlan(engine, plan, { events: 100, heartbeats: false });
    for (const name of ['true ms', 'world', 'n1', 'n2', 'n3'])
      expect(page).toContain(`>${name}</b>`);
  });

  it('says what can go wrong in it', async () => {
    const page = await drawPlan(engine, plan, { events: 100, heartbeats: false });
    expect(page).toContain('faults by chance: drop; in the schedule: 1 × freeze, 1 × crash');
  });

  it('is cut to the events before the end', async () => {
    const page = await drawPlan(engine, plan, { events: 50, heartbeats: false });
    expect(page.match(/<circle/g)).toHaveLength(50);
    expect(page).toMatch(/the last 50 of \d+ events shown; left out: \d+ heartbeats and steps/);
  });
});
