import type { Result } from './_run.js';

/** A run that is over. */
export type Finished = Readonly<{ name: string; amount: string; seconds: number; result: Result }>;

export const verdictOf = (result: Result): string => {
  if ('notRun' in result) return 'not run';
  return result.failures.length === 0 ? 'passed' : 'FAILED';
};

const duration = (seconds: number): string =>
  seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;

/** The runs as a table, in Markdown, with the failures below. */
export const tableOf = (runs: readonly Finished[]): string => {
  const rows = runs.map(({ name, amount, seconds, result }) => [
    name,
    amount,
    duration(seconds),
    'notRun' in result ? result.notRun : result.figures.join('; '),
    verdictOf(result),
  ]);
  const lines = [
    ['run', 'amount', 'took', 'what it shows', 'verdict'],
    ['---', '---', '---', '---', '---'],
    ...rows,
  ];
  const failures = runs.flatMap(({ name, result }) =>
    'failures' in result ? result.failures.map((failure) => `${name}: ${failure}`) : [],
  );
  return [...lines.map((cells) => `| ${cells.join(' | ')} |`), '', ...failures].join('\n');
};
