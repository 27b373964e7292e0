import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cleanEnvironment, startServer } from '../../bench/processes.js';
import { freePort } from '../storage/postgres/_embedded.js';
import { connected, startPostgres } from '../storage/postgres/_postgres.js';

/** The two checkouts that are compared. */
export type Checkouts = Readonly<{ old: string; new: string }>;

/** Where a server of each checkout listens. */
export type Pair = Readonly<{ old: Ports; new: Ports; stop: () => Promise<void> }>;
export type Ports = Readonly<{ main: number; metrics: number }>;

/** Far from the time of the machine, so that it is seen where that time leaks into an answer. */
export const frozen = '2031-03-05T12:00:00Z';

/** Limits that a comparison must not run into by itself, and what makes more of the server visible. */
const common = [
  ['--now', frozen],
  ['--cors-origin', 'https://app.example.com', 'https://*.preview.example.com'],
  ['--login-limit', '5'],
  ['--login-address-limit', '100000'],
  ['--login-rate-limit', '100000'],
  ['--signup-limit', '100000'],
  ['--max-hang', '300'],
];

const program = (checkout: string): string => join(checkout, 'bin', 'triage-api.js');

const call = async (checkout: string, ...words: readonly string[]): Promise<string> => {
  const options = { env: cleanEnvironment, cwd: checkout, maxBuffer: 2 ** 26 };
  return (await promisify(execFile)(process.execPath, [program(checkout), ...words], options)).stdout;
};

/** Starts a server of each checkout. An option that one of them does not have is given to none. */
const startPair = async (
  checkouts: Checkouts,
  options: readonly (readonly string[])[],
  dataOf: (which: keyof Checkouts) => readonly string[],
): Promise<Pair> => {
  const helps = await Promise.all(
    [checkouts.old, checkouts.new].map((each) => call(each, 'serve', '--help')),
  );
  const isKnown = ([name = '']: readonly string[]): boolean =>
    helps.every((help) => help.includes(`${name} `));
  const known = [...common, ...options].filter(isKnown).flat();
  const start = async (which: keyof Checkouts) => {
    const metrics = await freePort();
    const words = ['serve', '--log-level', 'error', '--metrics-port', String(metrics), ...known];
    const server = await startServer({
      words: (port) => [program(checkouts[which]), ...words, '--port', port, ...dataOf(which)],
      path: '/healthz',
      log: '/dev/null',
    });
    return { ports: { main: Number(new URL(server.url).port), metrics }, stop: server.stop };
  };
  const old = await start('old');
  try {
    const next = await start('new');
    const stop = async (): Promise<void> => {
      await Promise.all([old.stop(), next.stop()]);
    };
    return { old: old.ports, new: next.ports, stop };
  } catch (error) {
    await old.stop();
    throw error;
  }
};

/** Servers over the fixtures of their checkouts. */
export const startOverFixtures = (
  checkouts: Checkouts,
  options: readonly (readonly string[])[],
): Promise<Pair> => startPair(checkouts, options, () => []);

/** Servers over databases of one PostgreSQL server, each prepared and filled by its own checkout. */
export const startOverPostgres = async (checkouts: Checkouts): Promise<Pair> => {
  const server = await startPostgres();
  const databaseOf = (which: keyof Checkouts): string => `triage_same_answers_${which}_${process.pid}`;
  const admin = (statement: string): Promise<unknown> =>
    connected(server.url('postgres'), (client) => client.query(statement));
  const both = ['old', 'new'] as const;
  const stopPostgres = async (): Promise<void> => {
    for (const which of both) await admin(`DROP DATABASE IF EXISTS ${databaseOf(which)} WITH (FORCE)`);
    await server.stop();
  };
  try {
    for (const which of both) {
      await admin(`CREATE DATABASE ${databaseOf(which)} TEMPLATE template0 ENCODING 'UTF8'`);
      const checkout = checkouts[which];
      // Commands of the database have a word in front of them in later versions.
      const group = /^ {2}db /m.test(await call(checkout, '--help')) ? ['db'] : [];
      const database = ['--database-url', server.url(databaseOf(which))];
      await call(checkout, ...group, 'migrate', ...database);
      await call(checkout, ...group, 'import', 'fixtures', '--now', frozen, ...database);
    }
    const pair = await startPair(checkouts, [['--database-timeout', '60000']], (which) => [
      '--database-url',
      server.url(databaseOf(which)),
    ]);
    return { ...pair, stop: () => pair.stop().finally(stopPostgres) };
  } catch (error) {
    await stopPostgres();
    throw error;
  }
};
