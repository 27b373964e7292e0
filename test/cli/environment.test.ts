import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { loadCommands } from '../../src/cli/program.js';
import type { Option } from '../../src/cli/settings/option.js';
import { directoryWith } from '../storage/memory/_directory.js';
import { withPostgres } from '../storage/postgres/_postgres.js';
import { listen, run } from './_cli.js';

const { database } = withPostgres(test);

test('the URL of a database can be in a file, without the line break at its end', async (t) => {
  const url = await database(t);
  const directory = await directoryWith(t, {});
  const file = join(directory, 'url');
  for (const end of ['', '\n', '\r\n']) {
    await writeFile(file, `${url}${end}`);
    const { code, out, err } = await run(['db', 'migrate'], { DATABASE_URL_FILE: file });
    t.deepEqual([code, err], [0, '']);
    t.regex(out, /up to date/);
  }
  const served = await listen(t, [], { DATABASE_URL_FILE: file });
  t.regex(served.err(), /data from the database /);
  t.is((await fetch(`${served.url}/readyz`)).status, 200);
});

test('a secret file that cannot be used is an error that names the variable and shows no secret', async (t) => {
  const directory = await directoryWith(t, {});
  const file = join(directory, 'url');
  const missing = join(directory, 'missing');
  await writeFile(file, 'mysql://who:top-secret@host/x\n');
  const url = 'postgres://who:top-secret@127.0.0.1:1/nowhere';
  for (const [environment, expected] of [
    [
      { DATABASE_URL_FILE: missing },
      `environment variable DATABASE_URL_FILE: cannot read "${missing}": there is no such file\n`,
    ],
    [
      { DATABASE_URL_FILE: directory },
      `environment variable DATABASE_URL_FILE: cannot read "${directory}": it is a directory\n`,
    ],
    [
      { DATABASE_URL_FILE: file },
      'environment variable DATABASE_URL_FILE: expected a URL such as postgres://user:password@host:5432/database, got other text\n',
    ],
    [
      { DATABASE_URL: url, DATABASE_URL_FILE: file },
      'environment variables DATABASE_URL and DATABASE_URL_FILE are both set; set one of them\n',
    ],
  ] as const) {
    for (const command of ['serve', 'db migrate']) {
      const { code, out, err } = await run(command.split(' '), environment);
      t.deepEqual([code, out, err], [2, '', expected]);
    }
  }
  if (process.getuid?.() !== 0) {
    await chmod(file, 0o000);
    t.regex((await run(['db', 'migrate'], { DATABASE_URL_FILE: file })).err, /this user may not read it/);
  }
});

test('an option overrides a file, and an empty variable counts as unset', async (t) => {
  const url = await database(t);
  const { code } = await run(['db', 'migrate', '--database-url', url], { DATABASE_URL_FILE: '/missing' });
  t.is(code, 0);
  t.is((await run(['db', 'migrate'], { DATABASE_URL: url, DATABASE_URL_FILE: '' })).code, 0);
});

test('every session, token and database URL can be in a file, and nothing else', async (t) => {
  const isSecret = ({ flags }: Option): boolean =>
    /^--(?:read-)?database-url|^--(?:\w+-)?(?:session|token) /.test(flags) && !flags.startsWith('--file-');
  for (const { options } of await loadCommands()) {
    for (const option of Object.values(options)) {
      t.is(option.isSecret ?? false, isSecret(option), option.flags);
    }
  }
});

test('every command warns about unknown variables, and suggests the name that was probably meant', async (t) => {
  const environment = {
    TRIAGE_STRIKT: 'true',
    TRIAGE_PROT: '4001',
    TRIAGE_DATABASE_URL_FIEL: '/x',
    TRIAGE_SOMETHING_ELSE: '1',
    TRIAGE_X: '1',
    TRIAGE_STRICT: 'false',
    PATH: '/bin',
  };
  const warnings = [
    'warning: no setting is called TRIAGE_DATABASE_URL_FIEL; did you mean TRIAGE_DATABASE_URL_FILE?',
    'warning: no setting is called TRIAGE_PROT; did you mean TRIAGE_PORT?',
    'warning: no setting is called TRIAGE_SOMETHING_ELSE',
    'warning: no setting is called TRIAGE_STRIKT; did you mean TRIAGE_STRICT?',
    'warning: no setting is called TRIAGE_X',
  ].join('\n');
  const served = await listen(t, [], environment);
  t.true(served.err().startsWith(`${warnings}\n`), served.err());
  const checked = await run(['check', 'fixtures'], environment);
  t.deepEqual([checked.code, checked.err], [0, `${warnings}\n`]);
  t.is((await run(['--version'], environment)).err, '');
});

test('a variable of another command is no mistake', async (t) => {
  const environment = { TRIAGE_JUNIT: 'x', TRIAGE_SESSION_FILE: 'x', TRIAGE_DRAIN: '1', TRIAGE_LIVE: 'true' };
  t.is((await run(['check', 'fixtures'], environment)).err, '');
});
