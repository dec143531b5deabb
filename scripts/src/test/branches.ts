/** Positions as istanbul writes them: lines from 1, columns from 0. */
interface Position {
  readonly line: number;
  readonly column: number | null;
}

interface Range {
  readonly start?: Partial<Position>;
  readonly end?: Partial<Position>;
}

/** One file of an istanbul `coverage-final.json`, as far as branches go. */
export interface FileCoverage {
  readonly path: string;
  readonly branchMap: Readonly<
    Record<string, { readonly loc: Range; readonly locations: readonly Range[] }>
  >;
  readonly b: Readonly<Record<string, readonly number[]>>;
}

export interface BranchReport {
  readonly package: string;
  readonly covered: number;
  readonly total: number;
  /** `path:line` of each branch that no test took. */
  readonly missed: readonly string[];
}

/** Counts the branches of one package. An arm that only calls `assertNever` cannot be taken. */
export function reportBranches(
  packageName: string,
  files: readonly FileCoverage[],
  readSource: (path: string) => string,
): BranchReport {
  let covered = 0;
  const missed: string[] = [];
  for (const file of files) {
    if (!file.path.includes(`packages/${packageName}/src/`)) continue;
    const lines = readSource(file.path).split('\n');
    for (const [id, branch] of Object.entries(file.branchMap)) {
      for (const [arm, hits] of (file.b[id] ?? []).entries()) {
        const range =
          branch.locations[arm]?.start?.line === undefined ? branch.loc : branch.locations[arm];
        if (hits > 0) covered += 1;
        else if (!isNeverArm(textOf(lines, range))) {
          missed.push(`${shortPath(file.path)}:${range.start?.line ?? 1}`);
        }
      }
    }
  }
  return { package: packageName, covered, total: covered + missed.length, missed };
}

/** Percentage with two digits, rounded down. Without branches nothing was measured: 0. */
export function branchPercentage(report: BranchReport): number {
  if (report.total === 0) return 0;
  return Math.floor((report.covered / report.total) * 10_000) / 100;
}

export function describeBranches(report: BranchReport): string {
  const percentage = branchPercentage(report).toFixed(2);
  return `${report.package} ${percentage} % (${report.covered} of ${report.total})`;
}

const NEVER_ARM = /^(default:|case [^:]+:)?\s*\{?\s*(return |throw )?assertNever\([^;]*\);?\s*\}?$/;

function isNeverArm(text: string): boolean {
  return NEVER_ARM.test(text.trim());
}

function textOf(lines: readonly string[], range: Range): string {
  const { start, end } = range;
  if (start?.line === undefined || end?.line === undefined) return '';
  const selected = lines.slice(start.line - 1, end.line);
  const last = selected.length - 1;
  return selected
    .map((line, index) => {
      const from = index === 0 ? (start.column ?? 0) : 0;
      return line.slice(from, index === last ? (end.column ?? undefined) : undefined);
    })
    .join('\n');
}

function shortPath(path: string): string {
  return path.slice(path.indexOf('packages/'));
}
