import { isReached, type Result, type ServerFigures } from './section.js';

const digits = (value: number): string =>
  value >= 1000 ? Math.round(value).toLocaleString('en') : value >= 10 ? value.toFixed(1) : value.toFixed(2);

const withUnit = (value: number, unit: Result['unit']): string =>
  unit === '×' ? `× ${digits(value)}` : unit === '' ? `${value}` : `${digits(value)} ${unit}`;

/** On a busy machine, processor time is steadier than throughput: where the two disagree, that is said. */
const verdict = (result: Result): string => {
  const { value, byProcessorTime } = isReached(result);
  if (value === null) return '';
  if (value) return byProcessorTime === false ? 'yes, but not by processor time' : 'yes';
  return byProcessorTime === true ? '**no**, but by processor time' : '**no**';
};

/** The cells of a result: measure, comparison, ours, by processor time, goal, reached. */
const cellsOf = (result: Result): readonly string[] => {
  const { measure, comparedWith, value, byProcessorTime, unit, goal } = result;
  return [
    measure,
    comparedWith,
    withUnit(value, unit),
    byProcessorTime === null ? '' : withUnit(byProcessorTime, unit),
    goal === null ? '' : `${goal.kind} ${withUnit(goal.bound, unit)}`,
    verdict(result),
  ];
};

const resultHeadings = ['measure', 'compared with', 'ours', 'by processor time', 'must be', 'reached'];

/** A table in Markdown. The first columns are text, those from `numbersFrom` on are aligned to the right. */
const markdown = (
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  numbersFrom: number,
): string =>
  [headings, headings.map((_, i) => (i < numbersFrom ? '---' : '---:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

export const resultsMarkdown = (results: readonly Result[]): string =>
  markdown(resultHeadings, results.map(cellsOf), 2);

/** The servers by throughput, the fastest first. */
export const serversMarkdown = (servers: readonly ServerFigures[]): string =>
  markdown(
    ['server', 'for each request, it', 'requests/s', 'processor time', 'p99 latency'],
    servers
      .toSorted((l, r) => r.requestsPerSecond - l.requestsPerSecond)
      .map(({ name, work, requestsPerSecond, microseconds, p99 }) => [
        name,
        work,
        Math.round(requestsPerSecond).toLocaleString('en'),
        microseconds === null ? '' : `${microseconds.toFixed(0)} µs`,
        `${p99.toFixed(1)} ms`,
      ]),
    2,
  );

/** The same tables as text for a terminal: columns of equal width. */
export const forTerminal = (table: string): string => {
  const rows = table
    .replaceAll('**', '')
    .split('\n')
    .filter((_, i) => i !== 1)
    .map((line) => line.slice(2, -2).split(' | '));
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};
