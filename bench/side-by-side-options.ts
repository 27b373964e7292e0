import { parseArgs } from 'node:util';
import { oneOf, positive, readArguments } from './arguments.js';
import type { ListName } from './hand-written-statements.js';

const usage = `Usage: npm run bench:side-by-side -- [options]

Compares triage-api over PostgreSQL with a hand-written server that sends the same bytes.

  --rows COUNT         findings of the tenant, and as many pull requests (default: 100000)
  --list NAME          findings or prs (repeatable; default: both)
  --limit COUNT        rows of a page (repeatable; default: 25 and 100)
  --page WHERE         first or last (repeatable; default: both)
  --cold               request a random page each time instead
  --writing            update a random finding 50 times a second meanwhile
  --pairs COUNT        measurements of each server, in turns (default: 7)
  --seconds COUNT      length of a measurement (default: 3)
  --connections COUNT  kept-alive connections of the client (default: 8)
  --pool COUNT         maximum number of database connections of each server (default: 10)`;

type Place = 'first' | 'last' | 'random';

export type SideBySideOptions = Readonly<{
  rows: number;
  lists: readonly ListName[];
  limits: readonly number[];
  places: readonly Place[];
  writing: boolean;
  pairs: number;
  seconds: number;
  connections: number;
  pool: number;
}>;

/** Reads the command line. */
export const sideBySideOptions = (): SideBySideOptions => readArguments(usage, read);

const read = (): SideBySideOptions => {
  const { values } = parseArgs({
    options: {
      rows: { type: 'string', default: '100000' },
      list: { type: 'string', multiple: true, default: ['findings', 'prs'] },
      limit: { type: 'string', multiple: true, default: ['25', '100'] },
      page: { type: 'string', multiple: true, default: ['first', 'last'] },
      cold: { type: 'boolean', default: false },
      writing: { type: 'boolean', default: false },
      pairs: { type: 'string', default: '7' },
      seconds: { type: 'string', default: '3' },
      connections: { type: 'string', default: '8' },
      pool: { type: 'string', default: '10' },
    },
  });
  return {
    rows: positive(values.rows),
    lists: values.list.map((list) => oneOf(['findings', 'prs'], list)),
    limits: values.limit.map(positive),
    places: values.cold ? ['random'] : values.page.map((page) => oneOf(['first', 'last'], page)),
    writing: values.writing,
    pairs: positive(values.pairs),
    seconds: positive(values.seconds),
    connections: positive(values.connections),
    pool: positive(values.pool),
  };
};
