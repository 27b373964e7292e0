import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as t from 'io-ts';
import { answerOf, type Contestant, decoded, figuresOf, inTurns, ratiosOf } from './load.js';
import { root } from './processes.js';
import type { Context, Report } from './report.js';
import { findingsMeasure, findingsPath, startKoa, startOurs, writeBody } from './requests.js';

/** The package of the servers that we are compared with, which is no part of ours. */
const directory = join(root, 'bench/peers');

/** Installs the peers, without their install scripts, unless the same lock file was installed before. */
const installPeers = async (print: Context['print']): Promise<void> => {
  const lock = await readFile(join(directory, 'package-lock.json'), 'utf8');
  const marker = join(directory, 'node_modules/.installed-lock.json');
  if ((await readFile(marker, 'utf8').catch(() => '')) === lock) return;
  print('installing the peers in bench/peers …');
  // On Windows, npm is a script, which only a shell starts.
  const options = { cwd: directory, shell: process.platform === 'win32' };
  await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], options);
  await writeFile(marker, lock);
};

/** An OpenAPI document whose only response is this page: what Prism and Mockoon serve. */
const documentOf = (page: unknown): unknown => ({
  openapi: '3.0.3',
  info: { title: 'bench', version: '1' },
  paths: {
    [findingsPath]: {
      get: {
        responses: { 200: { description: 'a page', content: { 'application/json': { example: page } } } },
      },
    },
  },
});

/** A database for json-server: the rows of the page, repeated under new ids until there are so many. */
const databaseOf = (body: string, count: number): unknown => {
  const { items } = decoded(t.type({ items: t.readonlyArray(t.UnknownRecord) }), body);
  return {
    findings: Array.from({ length: count }, (_, i) => ({ ...items[i % items.length], id: `finding-${i}` })),
  };
};

type Peer = Readonly<{
  name: string;
  work: string;
  path?: string;
  words: (port: string) => readonly string[];
}>;

/** Every server that the page is compared with, apart from Koa. */
const allPeers = async (context: Context, body: string): Promise<readonly Peer[]> => {
  const page = await writeBody(context, 'page', body);
  const document = await writeBody(context, 'openapi', JSON.stringify(documentOf(JSON.parse(body))));
  const database = await writeBody(context, 'db', JSON.stringify(databaseOf(body, 1000)));
  const program = (name: string): string => join(directory, 'node_modules', name);
  const prepared = (kind: string) => (port: string) => [join(directory, 'prepared.js'), kind, page, port];
  const work = 'sends one prepared string';
  return [
    { name: 'Fastify 5, prepared', work, words: prepared('fastify') },
    { name: 'Hono 4, prepared', work, words: prepared('hono') },
    {
      name: 'json-server 1 beta.15, 1,000 rows',
      work: 'reads, slices and serialises',
      path: '/findings?_page=1&_per_page=25',
      words: (port) => [program('json-server/lib/bin.js'), database, '--port', port, '--host', '127.0.0.1'],
    },
    {
      name: 'Mockoon CLI 9',
      work: 'sends the example of a document, and logs it',
      words: (port) => [
        ...[program('@mockoon/cli/bin/run.js'), 'start', '--data', document],
        ...['-p', port, '-l', '127.0.0.1', '-X', '--disable-admin-api'],
      ],
    },
    {
      name: 'Prism 5',
      work: 'validates the request, sends the example of a document',
      words: (port) => [
        ...[program('@stoplight/prism-cli/dist/index.js'), 'mock', document],
        ...['-p', port, '-v', 'error', '--multiprocess', 'false'],
      ],
    },
  ];
};

/** A page of findings against what one would use instead. What cannot be started is left out loudly. */
export const peers = async (context: Context): Promise<Report> => {
  await installPeers(context.print);
  const ours = await startOurs(context, 'triage-api');
  const { body } = await answerOf(ours);
  const contestants: Contestant[] = [ours, await startKoa(context, ours)];
  for (const { name, work, path = findingsPath, words } of await allPeers(context, body)) {
    // json-server expects a folder for static files.
    const cwd = join(context.directory, name);
    await mkdir(join(cwd, 'public'), { recursive: true });
    try {
      const server = await context.start(name, { words, path, headers: ours.headers, cwd });
      contestants.push({ ...ours, ...server, name, work, paths: [path] });
    } catch (error) {
      context.print(`LEFT OUT: ${error instanceof Error ? error.message : error}`);
    }
  }
  const measured = await inTurns(context, contestants);
  const [our = []] = measured;
  return {
    results: contestants.slice(1).map(({ name }, i) => ({
      measure: findingsMeasure,
      comparedWith: name,
      ...ratiosOf(our, measured[i + 1] ?? []),
    })),
    servers: contestants.map((contestant, i) => figuresOf(contestant, measured[i] ?? [])),
  };
};
