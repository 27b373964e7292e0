import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { shippedFixtures } from '../../src/server/shipped-fixtures.js';

/** The session of the fixture. */
export const session = 'large-session';

const repositories = 50;

const Rows = t.readonlyArray(t.UnknownRecord);
const WithRows = t.type({ repos: Rows, scans: Rows });

/**
 * Writes a directory with one fixture: the large one of the package, whose repositories and their last scans
 * are doubled until there are 50.
 */
export const writeServedFixture = async (parent: string): Promise<string> => {
  const text = await readFile(join(shippedFixtures, 'large.json'), 'utf8');
  const decoded = WithRows.decode(JSON.parse(text));
  if (E.isLeft(decoded)) throw new Error('large.json has no repositories');
  const fixture = decoded.right;
  const more = fixture.repos.slice(0, Math.max(0, repositories - fixture.repos.length));
  const copies = new Map(more.map(({ id }) => [id, `${id}-copy`]));
  const repos = more.map((repo) => ({ ...repo, id: copies.get(repo.id) }));
  const scans = fixture.scans
    .filter(({ repoId }) => copies.has(repoId))
    .map((scan) => ({ ...scan, id: `${scan.id}-copy`, repoId: copies.get(scan.repoId) }));
  const directory = join(parent, 'fixtures');
  await mkdir(directory);
  await writeFile(
    join(directory, 'bench.json'),
    JSON.stringify({
      ...fixture,
      $schema: undefined,
      repos: [...fixture.repos, ...repos],
      scans: [...fixture.scans, ...scans],
    }),
  );
  return directory;
};
