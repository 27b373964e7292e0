import { parseArgs } from 'node:util';
import { positive, readArguments } from './arguments.js';

const usage = `Usage: npm run bench -- [options]

Measures the server side by side with others, and prints what was reached.

  --only NAME       run only this section (repeatable)
  --list            list the sections
  --quick           fewer and shorter rounds, less data: about five minutes, for trying things out
  --rounds COUNT    rounds per measure (default: 7; with --quick: 3)
  --seconds COUNT   seconds per round and server (default: 2; with --quick: 1)
  --unbound         do not bind servers and load generators to processors
  --record          save the results in bench/recorded.json, and write the tables and the charts of
                    docs/performance.md from them
  --render          measure nothing; write the tables and the charts from bench/recorded.json again
  --strict          exit with 1 if processor time has risen by more than 10 % since the last record`;

export type BenchOptions = Readonly<{
  only: readonly string[];
  list: boolean;
  quick: boolean;
  rounds: number;
  seconds: number;
  unbound: boolean;
  record: boolean;
  render: boolean;
  strict: boolean;
}>;

/** Reads the command line of `npm run bench`. */
export const benchOptions = (sections: readonly string[]): BenchOptions =>
  readArguments(usage, () => {
    const { values } = parseArgs({
      options: {
        only: { type: 'string', multiple: true, default: [] },
        list: { type: 'boolean', default: false },
        quick: { type: 'boolean', default: false },
        rounds: { type: 'string' },
        seconds: { type: 'string' },
        unbound: { type: 'boolean', default: false },
        record: { type: 'boolean', default: false },
        render: { type: 'boolean', default: false },
        strict: { type: 'boolean', default: false },
      },
    });
    const unknown = values.only.find((name) => !sections.includes(name));
    if (unknown !== undefined) throw new Error(`${unknown} is none of ${sections.join(', ')}`);
    const { only, list, quick, unbound, record, render, strict } = values;
    return {
      only,
      list,
      quick,
      unbound,
      record,
      render,
      strict,
      rounds: positive(values.rounds ?? (quick ? '3' : '7')),
      seconds: positive(values.seconds ?? (quick ? '1' : '2')),
    };
  });
