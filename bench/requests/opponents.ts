import { mkdir, mkdtemp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { startPeerProcess } from '../peer-process.js';
import { peerFile } from '../peers.js';
import type { Setup } from './bench-setup.js';
import type { Contestant } from './contestant.js';
import { mockoonEnvironment } from './mockoon-environment.js';
import { serverFile, startContestant, writeBody } from './own-servers.js';
import { databaseOf, documentWith } from './peer-data.js';

/** A server that we are compared with, and what we must reach against it. */
export type Opponent = Readonly<{
  name: string;
  work: string;
  /** How many times its throughput ours must be; null: it is measured for the picture only. */
  bound: number | null;
  start: () => Promise<Contestant>;
}>;

/** What all of them answer: the page of findings that our server answers to this request. */
export type Served = Readonly<{ path: string; headers: Readonly<Record<string, string>>; body: string }>;

/** The versions of json-server: 0.17, the newest of 1, and the last of 1 that supports Node 20. */
const jsonServers = {
  stable: {
    name: 'json-server 0.17',
    program: 'json-server-0/lib/cli/bin.js',
    pageSize: '_limit',
    words: ['--quiet'],
  },
  older: {
    name: 'json-server 1 beta.3',
    program: 'json-server-1-older/lib/bin.js',
    pageSize: '_per_page',
    words: [],
  },
  newest: {
    name: 'json-server 1 beta.15',
    program: 'json-server-1/lib/bin.js',
    pageSize: '_per_page',
    words: [],
  },
} as const;

type JsonServer = keyof typeof jsonServers;

/** A directory for a peer, with the empty `public` that json-server expects in it. */
const directoryOf = async ({ directory }: Setup, program: string): Promise<string> => {
  const own = await mkdtemp(join(directory, `${basename(program)}-`));
  await mkdir(join(own, 'public'));
  return own;
};

/** Every server that the page of findings is measured with. They start when they are asked to. */
export const opponentsFor = async (setup: Setup, served: Served): Promise<readonly Opponent[]> => {
  const { path, headers, body } = served;
  const page = await writeBody(setup, 'page', body);
  const session = headers.cookie?.replace('session=', '') ?? '';
  const printing = (
    name: string,
    work: string,
    bound: number | null,
    program: string,
    words: readonly string[] = [page],
  ): Opponent => ({
    name,
    work,
    bound,
    start: () => startContestant(setup, { name, work, path, headers }, program, words),
  });
  const silent = (
    name: string,
    work: string,
    bound: number | null,
    program: string,
    requested: string,
    words: (port: string) => readonly string[],
  ): Opponent => ({
    name,
    work,
    bound,
    start: async () => {
      const { url, pid } = setup.until(
        await startPeerProcess({
          program: peerFile(join('node_modules', program)),
          words,
          path: requested,
          headers,
          processor: setup.processors?.server,
          directory: await directoryOf(setup, program),
        }),
      );
      return { name, work, url: `${url}${requested}`, headers, pid };
    },
  });
  const jsonServer = async (version: JsonServer, rows: number, bound: number | null): Promise<Opponent> => {
    const { name, program, pageSize, words } = jsonServers[version];
    const database = await writeBody(setup, `${version}-${rows}`, databaseOf(body, rows));
    return silent(
      `${name}, ${rows.toLocaleString('en')} rows`,
      'reads, slices and serialises at each request',
      bound,
      program,
      `/findings?_page=1&${pageSize}=25`,
      (port) => [database, '--port', port, '--host', '127.0.0.1', ...words],
    );
  };
  const document = await writeBody(setup, 'openapi', documentWith(body));
  const environment = await writeBody(
    setup,
    'mockoon',
    JSON.stringify(mockoonEnvironment(path.slice(1), body)),
  );
  return [
    printing('node:http', 'sends one prepared Buffer', 0.62, serverFile('bare-http')),
    printing('Fastify 5, prepared', 'sends one prepared string', 0.7, peerFile('fastify-string.js')),
    printing('Hono 4, prepared', 'sends one prepared string', 0.85, peerFile('hono-string.js')),
    printing('Koa 3, prepared', 'sends one prepared string', 0.95, serverFile('bare-koa')),
    printing('Fastify 5, schema', 'serialises by JSON schema', 2.5, peerFile('fastify-schema.js')),
    printing('Koa 3 + io-ts, naive', 'decodes, encodes and serialises', 3.5, serverFile('naive-koa'), [
      page,
      session,
    ]),
    await jsonServer('newest', 25, 3.5),
    await jsonServer('newest', 1000, 10),
    await jsonServer('older', 25, 3.5),
    await jsonServer('older', 1000, 10),
    await jsonServer('stable', 25, null),
    await jsonServer('stable', 1000, null),
    silent(
      'Mockoon CLI 9',
      'sends the body of its only route, and logs it',
      null,
      '@mockoon/cli/bin/run.js',
      path,
      (port) => ['start', '--data', environment, '-p', port, '-l', '127.0.0.1', '-X', '--disable-admin-api'],
    ),
    silent(
      'Prism 5',
      'validates the request, sends its only example',
      6,
      '@stoplight/prism-cli/dist/index.js',
      path,
      (port) => ['mock', document, '-p', port, '-v', 'error', '--multiprocess', 'false'],
    ),
  ];
};
