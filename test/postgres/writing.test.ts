import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import pg from 'pg';
import { firstPage, rowsFound } from '../../src/storage-kit/conformance/conformance-case.js';
import { aDraft, aRepo, aSession, aUser, column, dataset } from '../_data.js';
import { bySession } from '../_storage.js';
import { connected, storageAt, withPostgres } from './_postgres.js';
import { writerOf } from './_role.js';

/** What CONTRIBUTING.md says of writing rows, and its example, executed. */
const { database, filled } = withPostgres(test);

const root = fileURLToPath(new URL('../../../', import.meta.url));
const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
const example = join(root, 'examples/write-rows');

test('the example in SQL can be repeated, and the API shows what it has written', async (t) => {
  const url = await filled(t, dataset({ user: aUser('usr_1'), sessions: [aSession('s')] }));
  const storage = storageAt(t, url);
  const statements = await readFile(join(example, 'write.sql'), 'utf8');
  await connected(await writerOf(t, url), async (client) => {
    for (const time of ['first', 'again']) {
      await client.query(statements);
      const [repo] = await rowsFound(storage.repos(bySession('s')));
      t.like(repo, { openPrCount: 1, openFixDraftId: 'fix_1', openAdvisoryCount: 2 }, time);
      t.is(repo?.lastScan?.id, 'scan_1');
      t.is((await rowsFound(storage.findings(bySession('s'), firstPage))).total, 2);
      t.is((await rowsFound(storage.prs(bySession('s'), { ...firstPage, status: 'open' }))).total, 1);
    }
    const wrongTenant = statements.replace("'triage.user_id', 'usr_1'", "'triage.user_id', 'usr_2'");
    await t.throwsAsync(client.query(wrongTenant), { code: '42501' });
  });
});

type WriteFixDrafts = (
  pool: pg.Pool,
  userId: string,
  drafts: readonly unknown[],
  batchSize?: number,
) => Promise<void>;
const isWriteFixDrafts = (u: unknown): u is WriteFixDrafts => typeof u === 'function';

/** Compiles the example in TypeScript, strictly, and imports it. */
const compiledExample = async (test: ExecutionContext): Promise<WriteFixDrafts> => {
  const directory = await mkdtemp(join(root, 'build', 'documents-'));
  test.teardown(() => rm(directory, { recursive: true, force: true }));
  await copyFile(join(example, 'write.ts'), join(directory, 'write.ts'));
  const options =
    '--strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes --skipLibCheck ' +
    '--module nodenext --target es2022 --types node --ignoreConfig';
  await promisify(execFile)(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), ...options.split(' '), join(directory, 'write.ts')],
    { cwd: directory },
  ).catch((failed: unknown) => test.fail(String(Object(failed).stdout)));
  const { writeFixDrafts }: Readonly<Record<string, unknown>> = await import(
    pathToFileURL(join(directory, 'write.js')).href
  );
  if (!isWriteFixDrafts(writeFixDrafts)) throw new Error('the example does not export writeFixDrafts');
  return writeFixDrafts;
};

test('the example in TypeScript compiles, writes batches, updates rows, and repeats what may pass', async (t) => {
  const writeFixDrafts = await compiledExample(t);
  const url = await filled(t, dataset({ user: aUser('u'), sessions: [aSession('s')], repos: [aRepo('r')] }));
  const storage = storageAt(t, url);
  const findings = () => rowsFound(storage.findings(bySession('s'), firstPage));
  const pool = new pg.Pool({ connectionString: await writerOf(t, url), max: 2 });
  t.teardown(() => pool.end());

  const drafts = Array.from({ length: 25 }, (_, i) => aDraft(`d${i}`, 'r'));
  await writeFixDrafts(pool, 'u', drafts, 10);
  const { total, rows } = await findings();
  t.is(total, 25);
  const [expected] = dataset({
    user: aUser('u'),
    repos: [aRepo('r')],
    fixDrafts: [aDraft('d7', 'r')],
  }).fixDrafts;
  t.deepEqual(
    rows.find(({ id }) => id === 'd7'),
    expected,
  );

  const updatedAt = '2026-11-19T00:00:00.000Z';
  const resolved = drafts.map((draft) => ({ ...draft, status: 'resolved', updatedAt }));
  await connected(url, (client) =>
    client.query(
      `CREATE SEQUENCE attempts; GRANT USAGE ON SEQUENCE attempts TO PUBLIC;
       CREATE FUNCTION fail_twice() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF nextval('attempts') <= 2 THEN RAISE 'conflict' USING ERRCODE = '40001'; END IF;
         RETURN NULL;
       END $$;
       CREATE TRIGGER fail_twice AFTER UPDATE ON triage.fix_drafts EXECUTE FUNCTION fail_twice()`,
    ),
  );
  const areResolved = async () => (await findings()).rows.every(({ status }) => status === 'resolved');
  await Promise.all([resolved, resolved.toReversed()].map((each) => writeFixDrafts(pool, 'u', each)));
  t.true(await areResolved());
  await writeFixDrafts(pool, 'u', drafts);
  t.true(await areResolved(), 'older rows are ignored');
  await t.throwsAsync(writeFixDrafts(pool, 'u', [aDraft('x', 'nope')]), { code: '23503' });
  t.is(pool.waitingCount, 0);
});

test('CONTRIBUTING.md names every column of the four tables, and no other', async (t) => {
  const columnsOf = 'SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0';
  await connected(await database(t), async (client) => {
    for (const table of ['repos', 'scans', 'fix_drafts', 'pull_requests']) {
      const section = page.split(`### \`${table}\`\n`)[1]?.split('\n#')[0] ?? '';
      const listed = Array.from(section.matchAll(/^\| (`.*?) \|/gm)).flatMap(([, cell = '']) =>
        Array.from(cell.matchAll(/`(\w+)`/g), ([, name]) => name),
      );
      const { rows } = await client.query(columnsOf, [`triage.${table}`]);
      t.deepEqual(listed.sort(), column(rows, 'name').sort(), table);
    }
  });
});
