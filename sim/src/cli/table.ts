export type Cell = string | number;

/** Columns as wide as their widest cell, two spaces apart; numbers to the right. */
export function table(rows: readonly (readonly Cell[])[]): readonly string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => showCell(row[column]).length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return typeof cell === 'number' ? showCell(cell).padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd(),
  );
}

/** `1,234,567` from 10,000 on; what is small keeps a decimal. */
export function showNumber(value: number): string {
  if (!Number.isFinite(value)) return '-';
  if (Number.isInteger(value) || Math.abs(value) >= 100) return groupDigits(Math.round(value));
  return value.toFixed(Math.abs(value) < 10 ? 2 : 1);
}

/** `▇▇▇▇▇` as long as the share, which is from 0 to 1. */
export function bar(share: number, width: number): string {
  return '▇'.repeat(Math.round(share * width));
}

function showCell(cell: Cell | undefined): string {
  if (cell === undefined) return '';
  return typeof cell === 'number' ? showNumber(cell) : cell;
}

function groupDigits(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}
