import { parseArgs } from 'node:util';
import { positive, readArguments } from './arguments.js';

const usage = `Usage: npm run bench:writers -- [options]

Measures what counting costs those who write: the same transactions on the same tables, with the triggers of
the schema and without. It also counts deadlocks, and checks the counts at the end.

  --rows COUNT          findings of the tenant, and as many pull requests (default: 100000)
  --clients COUNT       connections that write at the same time (default: 8)
  --run COUNT           transactions of a measurement (default: 1000)
  --pairs COUNT         measurements of each database, in turns (default: 7)
  --transactions COUNT  transactions in which deadlocks are counted (default: 5000)
  --serving             run triage-api over the database with counts meanwhile`;

export type WritersOptions = Readonly<{
  rows: number;
  clients: number;
  run: number;
  pairs: number;
  transactions: number;
  serving: boolean;
}>;

/** Reads the command line. */
export const writersOptions = (): WritersOptions => readArguments(usage, read);

const read = (): WritersOptions => {
  const { values } = parseArgs({
    options: {
      rows: { type: 'string', default: '100000' },
      clients: { type: 'string', default: '8' },
      run: { type: 'string', default: '1000' },
      pairs: { type: 'string', default: '7' },
      transactions: { type: 'string', default: '5000' },
      serving: { type: 'boolean', default: false },
    },
  });
  return {
    rows: positive(values.rows),
    clients: positive(values.clients),
    run: positive(values.run),
    pairs: positive(values.pairs),
    transactions: positive(values.transactions),
    serving: values.serving,
  };
};
