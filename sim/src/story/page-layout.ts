import type { DrawnEvent, Picture } from './picture.js';

/** Where things stand on the page, in pixels. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  /** Where the labels begin, right of all lanes. */
  readonly labelsX: number;
  x(lane: string): number;
  /** Events before the window lie above the page's edge, those after below. */
  y(index: number): number;
}

const TOP = 24;
const BOTTOM = 48;
const ROW = 8;
/** A pause is drawn by its logarithm: an hour must not be a mile. */
const GAP_PER_DOUBLING = 5;
const GAP_FROM_MS = 2;
const TIMES_WIDTH = 104;
const NODE_WIDTH = 116;
const CLIENT_WIDTH = 74;
const LABELS_WIDTH = 620;

/** Rows by the order of events, pauses between them squeezed. */
export function layOut(picture: Picture): Layout {
  const { nodes, clients, events } = picture;
  const columns = new Map<string, number>([['', TIMES_WIDTH]]);
  let right = TIMES_WIDTH + NODE_WIDTH / 2;
  for (const node of nodes) {
    columns.set(node, right + NODE_WIDTH / 2);
    right += NODE_WIDTH;
  }
  right += CLIENT_WIDTH / 4;
  for (const client of clients) {
    columns.set(client, right + CLIENT_WIDTH / 2);
    right += CLIENT_WIDTH;
  }
  const rows = rowsOf(events);
  const first = events[0]?.index ?? 0;
  const bottom = (rows.at(-1) ?? TOP) + BOTTOM;
  return {
    width: right + LABELS_WIDTH,
    height: bottom,
    labelsX: right + 16,
    x: (lane) => columns.get(lane) ?? TIMES_WIDTH,
    y: (index) => (index < first ? 0 : (rows[index - first] ?? bottom - BOTTOM / 2)),
  };
}

function rowsOf(events: readonly DrawnEvent[]): readonly number[] {
  const rows: number[] = [];
  let y = TOP;
  let beforeMs = events[0]?.atMs ?? 0;
  for (const { atMs } of events) {
    const pauseMs = atMs - beforeMs;
    y += ROW + GAP_PER_DOUBLING * (32 - Math.clz32(pauseMs / GAP_FROM_MS));
    rows.push(y);
    beforeMs = atMs;
  }
  return rows;
}
