import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as t from 'io-ts';
import {
  answerOf,
  type Contestant,
  decoded,
  figuresOf,
  inTurns,
  medianRatio,
  type Rounds,
  ratiosOf,
} from './load.js';
import { benchProgram, root, serveWords } from './processes.js';
import type { Context, Report, Result } from './report.js';

export const findingsPath = '/api/v1/findings';
export const findingsMeasure = 'GET /api/v1/findings, 25 rows';

/** The session of the large fixture. */
const session = 'large-session';
export const headers = { cookie: `session=${session}` };

/** Starts `triage-api serve` over the large fixture, of this or of another checkout. */
export const startOurs = async (
  { directory, start }: Context,
  name: string,
  words: readonly string[] = [],
  checkout?: string,
): Promise<Contestant> => {
  const fixtures = join(directory, 'large');
  await mkdir(fixtures, { recursive: true });
  await copyFile(join(root, 'fixtures/large.json'), join(fixtures, 'large.json'));
  const server = await start(name, {
    words: serveWords(['--fixtures', fixtures, ...words], checkout),
    path: findingsPath,
    headers,
  });
  return { ...server, name, work: 'authenticates, sends validated bytes', paths: [findingsPath], headers };
};

/** Writes a body to a file, for the servers that send it. */
export const writeBody = async ({ directory }: Context, name: string, body: string): Promise<string> => {
  const file = join(directory, `${name}.json`);
  await writeFile(file, body);
  return file;
};

/** Starts a program that serves the same request as `like`, and gets a port as its last argument. */
export const startOther = async (
  { start }: Context,
  like: Contestant,
  name: string,
  work: string,
  words: readonly string[],
): Promise<Contestant> => {
  const [path = ''] = like.paths;
  const server = await start(name, { words: (port) => [...words, port], path, headers: like.headers });
  return { ...like, ...server, name, work };
};

/** Bare Koa that sends the same bytes as `like`. */
export const startKoa = async (context: Context, like: Contestant): Promise<Contestant> => {
  const { status, body } = await answerOf(like);
  if (status !== 200) throw new Error(`${like.url}${like.paths[0]}: got ${status}`);
  const file = await writeBody(context, 'body', body);
  const words = [benchProgram('servers/bare'), 'koa', file];
  return startOther(context, like, 'Koa 3, prepared', 'sends one prepared string', words);
};

/** Koa with io-ts as one writes it without much thought, over the page that `like` sends. */
const startNaive = async (context: Context, like: Contestant): Promise<Contestant> => {
  const page = await writeBody(context, 'naive-page', (await answerOf(like)).body);
  return startOther(context, like, 'Koa 3 + io-ts, naive', 'decodes, encodes and serialises', [
    ...[benchProgram('servers/naive-koa'), page, session],
  ]);
};

/** A page of 25 findings against the floors of Node and Koa and a naive server; and its variants. */
export const findings = async (context: Context): Promise<Report> => {
  const ours = await startOurs(context, 'triage-api');
  const logging = await startOurs(context, 'with access log', ['--log-level', 'info']);
  const { body, etag } = await answerOf(ours);
  const page = await writeBody(context, 'page', body);
  const contestants: readonly Contestant[] = [
    ours,
    logging,
    { ...ours, name: '304', headers: { ...headers, 'if-none-match': etag }, status: 304 },
    { ...ours, name: 'br', headers: { ...headers, 'accept-encoding': 'br' } },
    await startKoa(context, ours),
    await startOther(context, ours, 'node:http', 'sends one prepared Buffer', [
      ...[benchProgram('servers/bare'), 'http', page],
    ]),
    await startNaive(context, ours),
  ];
  const measured = await inTurns(context, contestants);
  const [our = [], logged = [], notModified = [], compressed = [], koa = [], http = [], naive = []] =
    measured;
  const line = (variant: string, comparedWith: string, l: Rounds, r: Rounds, atLeast: number): Result => {
    const measure = `${findingsMeasure}${variant}`;
    return { measure, comparedWith, ...ratiosOf(l, r), atLeast };
  };
  const p99 = medianRatio(our, koa, 'p99');
  return {
    results: [
      line('', 'node:http', our, http, 0.6),
      line('', 'Koa 3, prepared', our, koa, 0.85),
      line('', 'Koa 3 + io-ts, naive', our, naive, 3.5),
      line(', access log on', 'off', logged, our, 0.85),
      line(', 304', 'the 200', notModified, our, 1),
      line(', compressed (br)', 'not compressed', compressed, our, 0.9),
      { measure: `${findingsMeasure}, p99`, comparedWith: 'Koa 3, prepared', value: p99, atMost: 1.5 },
    ],
    servers: contestants.map((contestant, i) => figuresOf(contestant, measured[i] ?? [])),
  };
};

/** The other operations against bare Koa with the same bytes, and with an access log against without. */
export const operations = async (context: Context): Promise<Report> => {
  const silent = await startOurs(context, 'triage-api');
  const logging = await startOurs(context, 'with access log', ['--log-level', 'info']);
  const results: Result[] = [];
  for (const [measure, path] of [
    ['GET /api/v1/findings/{id}', await detailPath(silent)],
    ['GET /api/v1/prs?status=closed, 25 rows', '/api/v1/prs?status=closed'],
    ['GET /api/v1/repos, 30 repositories', '/api/v1/repos'],
  ] as const) {
    const ours = { ...silent, paths: [path] };
    const koa = await startKoa(context, ours);
    context.print(measure);
    const measured = await inTurns(context, [ours, { ...logging, paths: [path] }, koa]);
    const [our = [], logged = [], theirs = []] = measured;
    results.push(
      { measure, comparedWith: koa.name, ...ratiosOf(our, theirs), atLeast: 0.8 },
      { measure: `${measure}, access log on`, comparedWith: 'off', ...ratiosOf(logged, our), atLeast: 0.85 },
    );
  }
  return { results };
};

/** Whether a page costs more if all pages of a list are requested in turns. */
export const pages = async (context: Context): Promise<Report> => {
  const ours = await startOurs(context, 'triage-api');
  const results: Result[] = [];
  for (const list of ['findings', 'prs']) {
    const first = { ...ours, name: list, paths: [`/api/v1/${list}?page=1&limit=25`] };
    const { totalPages } = decoded(t.type({ totalPages: t.number }), (await answerOf(first)).body);
    const paths = Array.from({ length: totalPages }, (_, i) => `/api/v1/${list}?page=${i + 1}&limit=25`);
    const naive = list === 'findings' ? [await startNaive(context, first)] : [];
    const [one = [], all = [], theirs] = await inTurns(context, [first, { ...first, paths }, ...naive]);
    const measure = `GET /api/v1/${list}, ${totalPages} pages in turns`;
    results.push({ measure, comparedWith: 'the first page', ...ratiosOf(all, one), atLeast: 0.9 });
    if (theirs !== undefined)
      results.push({ measure, comparedWith: 'Koa 3 + io-ts, naive', ...ratiosOf(all, theirs), atLeast: 1.2 });
  }
  return { results };
};

/** The path of some finding. */
export const detailPath = async (contestant: Contestant): Promise<string> => {
  const { body } = await answerOf({ ...contestant, paths: [findingsPath] });
  const { items } = decoded(t.type({ items: t.readonlyArray(t.type({ id: t.string })) }), body);
  return `${findingsPath}/${items[0]?.id}`;
};
