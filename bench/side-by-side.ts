import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connected } from '../test/postgres/_postgres.js';
import { type Case, type Contestant, compareServers } from './load.js';
import { withDatabase, withPostgres } from './postgres.js';
import { cleanEnvironment, root, serveWords, timeOfPostgres, triageApi } from './processes.js';
import type { Context, Report } from './report.js';
import { detailPath, findingsPath, headers, startOurs } from './requests.js';

const casesOf = async (over: string, ours: Contestant): Promise<readonly Case[]> =>
  [findingsPath, await detailPath(ours), '/api/v1/prs', '/api/v1/repos'].map((path) => ({
    measure: `GET ${path}, ${over}`,
    paths: [path],
    headers,
  }));

/** Prepares a database with the command line of a checkout, imports the large fixture, and serves it. */
const startOverPostgres = async (
  context: Context,
  name: string,
  checkout: string,
  url: string,
): Promise<Contestant> => {
  const command = (...words: readonly string[]) =>
    promisify(execFile)(process.execPath, [triageApi(checkout), ...words], { env: cleanEnvironment });
  await command('db', 'migrate', '--database-url', url);
  await command('db', 'import', '--database-url', url, join(root, 'fixtures/large.json'));
  const server = await context.start(`${name} over PostgreSQL`, {
    words: serveWords(['--database-url', url], checkout),
    path: findingsPath,
    headers,
  });
  const database = await connected(url, timeOfPostgres);
  return { ...server, name, work: '', paths: [], headers, database };
};

/** This checkout against another one, in turns: the large fixture in memory, and in PostgreSQL. */
export const sideBySide = async (context: Context): Promise<Report> => {
  const { against } = context;
  if (against === undefined) throw new Error('name another checkout with --against DIRECTORY');
  const ours = await startOurs(context, 'this checkout');
  const theirs = await startOurs(context, 'the other checkout', [], against);
  const inMemory = await compareServers(context, ours, theirs, await casesOf('fixtures', ours));
  const inPostgres = await withPostgres((server) =>
    withDatabase(server, 'ours', (ourUrl) =>
      withDatabase(server, 'theirs', async (theirUrl) => {
        const our = await startOverPostgres(context, ours.name, root, ourUrl);
        const their = await startOverPostgres(context, theirs.name, against, theirUrl);
        return compareServers(context, our, their, await casesOf('PostgreSQL', our));
      }),
    ),
  );
  return {
    results: [...inMemory.results, ...inPostgres.results],
    servers: [...inMemory.servers, ...inPostgres.servers],
  };
};
