import test from 'ava';
import { connected, withPostgres } from '../../storage/postgres/_postgres.js';
import { aTenantOf, grow } from '../../storage/postgres/_tenants.js';
import { run } from '../_cli.js';

const { database, emptyDatabase } = withPostgres(test);

const nameOf = (url: string): string => `${new URL(url).host}${new URL(url).pathname}`;

test('recount reports counts that are wrong, and corrects them unless it only checks', async (t) => {
  const url = await database(t);
  await connected(url, async (client) => {
    await aTenantOf(client, 'right', 60);
    await grow(client, 'right', 61, 65);
    await aTenantOf(client, 'wrong', 3500);
    // As replication does, which does not run the triggers.
    await client.query('SET session_replication_role = replica');
    await grow(client, 'wrong', 3501, 3501);
    await client.query(
      "UPDATE triage.marks SET rows = rows + 1 WHERE list = 'prs' AND status = '' AND at = 'infinity'",
    );
  });
  const wrong = [
    'wrong: marks of prs: 3501 instead of 3500',
    'wrong: open advisories of findings of repo r21: 116 instead of 117',
    'wrong: rows of findings: 3500 instead of 3501',
    'wrong: rows of findings of repo r21: 116 instead of 117',
    'wrong: rows of prs: 3500 instead of 3501',
    'wrong: rows of prs with status open: 1166 instead of 1167',
    'wrong: rows of prs of repo r21: 116 instead of 117',
    'wrong: rows of prs of repo r21 with status open: 116 instead of 117',
  ].join('\n');
  const summary = `${nameOf(url)}: checked 2 tenants: wrong for 1 tenant`;
  t.deepEqual(await run(['recount', '--check', '--database-url', url]), {
    code: 1,
    out: `${wrong}\n${summary}; run triage-api recount to correct them\n`,
    err: '',
  });
  const versionOfPage = () =>
    connected(url, async (client) => {
      const { rows } = await client.query(
        "SELECT version FROM triage.read_prs('right', NULL, NULL, NULL, NULL, NULL, NULL, 0, 1)",
      );
      return rows[0].version;
    });
  const version = await versionOfPage();
  t.deepEqual(await run(['recount'], { DATABASE_URL: url }), {
    code: 0,
    out: `${wrong}\n${summary}, corrected\n`,
    err: '',
  });
  t.not(
    await versionOfPage(),
    version,
    'a name that was changed unnoticed is shown, although counts were right',
  );
  t.deepEqual(await run(['recount', '--check'], { DATABASE_URL: url }), {
    code: 0,
    out: `${nameOf(url)}: checked 2 tenants: all counts are right\n`,
    err: '',
  });
});

test('recount fails without a current schema', async (t) => {
  const { code, err } = await run(['recount', '--database-url', await emptyDatabase(t)]);
  t.is(code, 1);
  t.regex(err, /older than this version .*run: triage-api migrate\n$/);
});
