import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connected } from '../test/storage/postgres/_postgres.js';
import { type Contestant, figuresOf, inTurns, ratiosOf } from './load.js';
import { withDatabase, withPostgres } from './postgres.js';
import { cleanEnvironment, root, serveWords, timeOfPostgres, triageApi } from './processes.js';
import type { Context, Report, Result, ServerFigures } from './report.js';
import { detailPath, findingsPath, headers, startOurs } from './requests.js';

/** Measures two servers in turns with each operation. */
const compare = async (
  context: Context,
  over: string,
  ours: Contestant,
  theirs: Contestant,
): Promise<Report> => {
  const results: Result[] = [];
  const servers: ServerFigures[] = [];
  for (const path of [findingsPath, await detailPath(ours), '/api/v1/prs', '/api/v1/repos']) {
    const measure = `GET ${path}, ${over}`;
    const both = [ours, theirs].map((each) => ({ ...each, name: measure, work: each.name, paths: [path] }));
    const measured = await inTurns(context, both);
    const [our = [], their = []] = measured;
    results.push({ measure, comparedWith: 'the other checkout', ...ratiosOf(our, their) });
    servers.push(...both.map((contestant, i) => figuresOf(contestant, measured[i] ?? [])));
  }
  return { results, servers };
};

/** Prepares a database with the command line of a checkout, imports the large fixture, and serves it. */
const startOverPostgres = async (
  context: Context,
  name: string,
  checkout: string,
  url: string,
): Promise<Contestant> => {
  const command = (...words: readonly string[]) =>
    promisify(execFile)(process.execPath, [triageApi(checkout), ...words], { env: cleanEnvironment });
  // Checkouts differ in whether these commands are in a group.
  const group = / db /.test((await command('--help')).stdout) ? ['db'] : [];
  await command(...group, 'migrate', '--database-url', url);
  await command(...group, 'import', '--database-url', url, join(root, 'fixtures/large.json'));
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
  const inMemory = await compare(
    context,
    'fixtures',
    await startOurs(context, 'this checkout'),
    await startOurs(context, 'the other checkout', [], against),
  );
  const inPostgres = await withPostgres((server) =>
    withDatabase(server, 'ours', (ourUrl) =>
      withDatabase(server, 'theirs', async (theirUrl) =>
        compare(
          context,
          'PostgreSQL',
          await startOverPostgres(context, 'this checkout', root, ourUrl),
          await startOverPostgres(context, 'the other checkout', against, theirUrl),
        ),
      ),
    ),
  );
  return {
    results: [...inMemory.results, ...inPostgres.results],
    servers: [...(inMemory.servers ?? []), ...(inPostgres.servers ?? [])],
  };
};
