import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { citus } from './citus.js';
import { demo } from './demo.js';
import { load, reload } from './fixtures.js';
import { floods } from './floods.js';
import { heldSnapshot } from './held-snapshot.js';
import { largeTenant, overload } from './overload.js';
import { peers } from './peers.js';
import { writePictures } from './picture.js';
import { postgres } from './postgres.js';
import { chooseProcessors, type ServerProcess, startServer } from './processes.js';
import {
  type Context,
  circumstances,
  type Result,
  resultsTable,
  type Section,
  serversTable,
} from './report.js';
import { findings, operations, pages } from './requests.js';
import { sideBySide } from './side-by-side.js';
import { commands, start } from './start.js';
import { state } from './state.js';
import { writers } from './writers.js';

/** What runs unless some are named. */
const usual: readonly Section[] = [
  { name: 'findings', about: 'a page of findings, against Node, Koa, and Koa with io-ts', run: findings },
  { name: 'operations', about: 'the other operations, against bare Koa', run: operations },
  { name: 'pages', about: 'every page of the large fixture in turns, against one page', run: pages },
  { name: 'peers', about: 'a page of findings, against other mock servers and frameworks', run: peers },
  { name: 'start', about: 'the time to the first answer, and the memory at rest', run: start },
  { name: 'commands', about: 'the processor time of --version and healthcheck', run: commands },
  { name: 'load', about: 'the time and the memory to load fixtures', run: load },
  { name: 'reload', about: 'requests during the reload of a fixture file', run: reload },
  { name: 'state', about: 'a login and a sign-up with --state after many sign-ups', run: state },
];

/** What needs more than the package, or takes long: only if it is named. */
const extra: readonly Section[] = [
  { name: 'postgres', about: 'reading from PostgreSQL, against a server by hand', run: postgres },
  { name: 'overload', about: 'up to 1,300 clients of one tenant over PostgreSQL', run: overload },
  { name: 'large-tenant', about: '16 clients of 400,000 rows in PostgreSQL, against one', run: largeTenant },
  {
    name: 'held-snapshot',
    about: 'a page beside a PostgreSQL transaction that stays open',
    run: heldSnapshot,
  },
  { name: 'writers', about: 'writing, against no row-level security', run: writers },
  { name: 'floods', about: 'memory and waits while 200 connections flood the server', run: floods },
  { name: 'citus', about: 'clusters against one PostgreSQL server', run: citus },
  { name: 'demo', about: 'a static demo in Chromium, against a trivial service worker', run: demo },
  { name: 'side-by-side', about: 'this checkout against another', run: sideBySide },
];

const usage = `Usage: npm run bench -- [options]

Measures the server side by side with others, and prints tables. docs/performance.md has the ratios.

  --only NAMES         run only these sections: a list with commas (repeatable)
  --quick              fewer and shorter rounds, and less data: for trying things out
  --rounds COUNT       rounds per measure (default: 7; with --quick: 3)
  --seconds COUNT      seconds per round and server (default: 2; with --quick: 1)
  --connections COUNT  connections of the client (default: 32; over PostgreSQL: 8)
  --rows COUNTS        rows of the tenants over PostgreSQL: a list with commas (default: 3000,100000)
  --against DIRECTORY  another checkout, built, for the section side-by-side
  --unbound            do not bind servers and the load to processors of their own
  --picture            only draw the picture of docs/performance.md anew, from its table
  --help               print this help

Sections (* only if they are named):
${[...usual, ...extra].map((each) => `${extra.includes(each) ? '*' : ' '} ${each.name.padEnd(13)} ${each.about}`).join('\n')}`;

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** A number of the command line that must be positive. */
const positive = (text: string): number => {
  if (Number(text) > 0) return Number(text);
  throw new Error(`${text} is not a positive number`);
};

const readArguments = () => {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true, default: [] },
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      connections: { type: 'string' },
      rows: { type: 'string' },
      against: { type: 'string' },
      unbound: { type: 'boolean', default: false },
      picture: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { quick } = values;
  const only = values.only.flatMap((names) => names.split(','));
  const named = only.map((name) => {
    const section = [...usual, ...extra].find((each) => each.name === name);
    if (section === undefined) throw new Error(`there is no section ${name}`);
    return section;
  });
  return {
    isHelp: values.help,
    isPicture: values.picture,
    chosen: named.length > 0 ? named : usual,
    settings: {
      print,
      quick,
      rounds: positive(values.rounds ?? (quick ? '3' : '7')),
      seconds: positive(values.seconds ?? (quick ? '1' : '2')),
      connections: values.connections === undefined ? undefined : positive(values.connections),
      rows: (values.rows ?? (quick ? '3000,10000' : '3000,100000')).split(',').map(positive),
      against: values.against === undefined ? undefined : resolve(values.against),
      processors: values.unbound ? null : chooseProcessors(),
    },
  };
};

type Settings = ReturnType<typeof readArguments>['settings'];

/** Runs a section with a directory, and stops its servers at the end. */
const runSection = async (section: Section, settings: Settings): Promise<readonly Result[]> => {
  const directory = await mkdtemp(join(tmpdir(), 'triage-api-bench-'));
  const servers: ServerProcess[] = [];
  const context: Context = {
    ...settings,
    connections: settings.connections ?? (extra.includes(section) ? 8 : 32),
    directory,
    start: async (name, program) => {
      const log = join(directory, `${name.replaceAll(/\W+/g, '-')}.log`);
      const server = await startServer({ ...program, log, processor: settings.processors?.server });
      servers.push(server);
      return server;
    },
  };
  try {
    const { results, servers: figures = [] } = await section.run(context);
    if (figures.length > 0) print(`\n${serversTable(figures)}`);
    if (results.length > 0) print(`\n${resultsTable(results)}`);
    return results;
  } finally {
    await Promise.all(servers.map(({ stop }) => stop()));
    await rm(directory, { recursive: true, force: true });
  }
};

const main = async ({ chosen, settings }: ReturnType<typeof readArguments>): Promise<void> => {
  // Each server has a listener that ends it with the benchmark.
  process.setMaxListeners(100);
  print(circumstances(settings));
  if ((loadavg()[0] ?? 0) > 1)
    print('THE MACHINE IS BUSY: throughput and latency say little; ratios by processor time are steadier');
  const all: Result[] = [];
  for (const [i, section] of chosen.entries()) {
    print(`\n[${i + 1}/${chosen.length}] ${section.name}: ${section.about}`);
    try {
      all.push(...(await runSection(section, settings)));
    } catch (error) {
      print(`${section.name} FAILED: ${error instanceof Error ? error.stack : error}`);
      process.exitCode = 1;
    }
  }
  if (chosen.length > 1) print(`\n${resultsTable(all)}`);
};

const readOrExit = (): ReturnType<typeof readArguments> => {
  try {
    return readArguments();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${usage}\n`);
    process.exit(2);
  }
};

const options = readOrExit();
if (options.isHelp) print(usage);
else if (options.isPicture) await writePictures();
else {
  await main(options);
  await writePictures();
}
