export type Cell = string | number | boolean | undefined;

/** Columns as wide as their widest cell, two spaces apart; numbers to the right. */
export function table(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const texts = [
    headings,
    ...rows.map((row) => headings.map((_, column) => shownCell(row[column]))),
  ];
  const widths = headings.map((_, column) => {
    return Math.max(...texts.map((row) => (row[column] ?? '').length));
  });
  const isNumber = headings.map((_, column) => {
    return rows.some((row) => typeof row[column] === 'number');
  });
  const lines = texts.map((row) => {
    const cells = row.map((text, column) => {
      const width = widths[column] ?? 0;
      return isNumber[column] === true ? text.padStart(width) : text.padEnd(width);
    });
    return cells.join('  ').trimEnd();
  });
  return `${lines.join('\n')}\n`;
}

function shownCell(cell: Cell): string {
  if (cell === undefined) return '-';
  return String(cell);
}
