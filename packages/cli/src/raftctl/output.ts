import { type Cell, table } from './table.js';

export type OutputFormat = 'table' | 'json';

/** Data goes to stdout in one of two forms; everything else belongs on stderr. */
export interface Output {
  /** One JSON document, or the lines a person reads. */
  value(json: unknown, text: string): void;
  rows(json: unknown, headings: readonly string[], rows: readonly (readonly Cell[])[]): void;
}

export function outputTo(write: (text: string) => void, format: OutputFormat): Output {
  const json = (document: unknown): void => write(`${JSON.stringify(document)}\n`);
  return {
    value: (document, text) => (format === 'json' ? json(document) : write(`${text}\n`)),
    rows: (document, headings, rows) => {
      if (format === 'json') json(document);
      else write(table(headings, rows));
    },
  };
}
