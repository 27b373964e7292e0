import type { ConformanceCase } from './conformance-case.js';

/** Which case runs, and how those before it ended. */
export type ConformanceProgress = Readonly<{
  name: string;
  state: 'running' | 'passed' | 'failed';
  /** Which of the cases it is, from 1. */
  number: number;
  /** How many cases there are. */
  of: number;
  /** How long the case has taken. */
  milliseconds: number;
}>;

/** Cases that report when they begin and end. */
export const withProgress = (
  cases: readonly ConformanceCase[],
  onProgress: (progress: ConformanceProgress) => void,
  elapsed: () => number,
): readonly ConformanceCase[] =>
  cases.map(({ name, run }, i) => ({
    name,
    run: async () => {
      const begin = elapsed();
      const report = (state: ConformanceProgress['state']): void =>
        onProgress({ name, state, number: i + 1, of: cases.length, milliseconds: elapsed() - begin });
      report('running');
      try {
        await run();
      } catch (failure) {
        report('failed');
        throw failure;
      }
      report('passed');
    },
  }));

/** One line, such as `passed 3 of 32 in 0.2 s, 29 left: every read returns …`. */
export const formatProgress = ({ name, state, number, of, milliseconds }: ConformanceProgress): string =>
  state === 'running'
    ? `running ${number} of ${of}: ${name}`
    : `${state} ${number} of ${of} in ${(milliseconds / 1000).toFixed(1)} s, ${of - number} left: ${name}`;
