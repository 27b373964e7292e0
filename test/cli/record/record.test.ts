import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { cookie } from '../../_server.js';
import { directoryWith } from '../../fixtures/_directory.js';
import { json } from '../../pages/_browserless.js';
import { listen, run, runProcess, sharedServer } from '../_cli.js';

const frozen = ['--log-level', 'silent', '--now', '2026-11-20T12:00:00Z'];
const fast = ['--rate', '1000'];
const boundary = ['--session', 'boundary-session', ...fast];

/** A server that all tests share. */
const real = sharedServer(test, frozen);

test('a recorded file is private, in a folder that is made, and serving it returns the same lists', async (t) => {
  const directory = join(await directoryWith(t, {}), 'new', 'deep');
  const file = join(directory, 'copy.json');
  const { code, out, err } = await runProcess(['record', file, '--url', `${real().url}/`, ...boundary]);
  t.deepEqual([code, err], [0, ''], out);
  const [counts, recorded = '', logInLine = '', credentialsLine = ''] = out.split('\n');
  const [password = '', session = '', token = ''] =
    `${logInLine}\n${credentialsLine}`.match(/\b(?:[a-z2-9]{4}-){3}[a-z2-9]{4}\b/g) ?? [];
  t.is(logInLine, `e-mail address: copy@recorded.test, password: ${password}`);
  t.is(credentialsLine, `session cookie: ${session}, bearer token: ${token}`);
  t.is(
    counts,
    `${file}: copy@recorded.test: 15 repos, 11 scans, 399 fix drafts, 410 pull requests, 1 session, 1 API token`,
  );
  t.true(recorded.endsWith(': serving the file returns the same lists'), recorded);
  t.is(new Set([password, session, token]).size, 3);
  t.deepEqual(await readdir(directory), ['copy.json']);
  t.is((await stat(file)).mode & 0o777, 0o600);

  const moment = / of (\S+): serving/.exec(recorded)?.[1] ?? '';
  const copy = await listen(t, ['--log-level', 'silent', '--fixtures', directory, '--now', moment]);
  const words = (text: string): string => text.replaceAll(/"lastScanRelative":"[^"]*"/g, '');
  for (const path of ['repos', 'findings?limit=100&page=4', 'prs?limit=100&page=2', 'prs?status=open']) {
    const [expected, got] = await Promise.all([
      fetch(`${real().url}/api/v1/${path}`, cookie('boundary-session')),
      fetch(`${copy.url}/api/v1/${path}`, cookie(session)),
    ]);
    t.is(words(await got.text()), words(await expected.text()), path);
  }
  const logIn = await fetch(`${copy.url}/login`, json({ email: 'copy@recorded.test', password }));
  t.is(logIn.status, 200);
});

test('options and variables choose the user of the file, and the schema is named', async (t) => {
  const { url } = real();
  // Below the working directory, as the package is.
  const directory = join('build', `record-${process.pid}`);
  await mkdir(directory);
  t.teardown(() => rm(directory, { recursive: true }));
  const file = join(directory, 'x.json');
  const server = { TRIAGE_URL: url, TRIAGE_SESSION: 'acme-session', TRIAGE_RATE: '1000' };
  const environment = { ...server, TRIAGE_PASSWORD: 'chosen', TRIAGE_FILE_TOKEN: 'chosen-token' };
  const user = ['--name', 'Dana', '--email', 'dana@x.test', '--file-session', 's'];
  const words = ['record', file, ...user, '--as-of', '2026-11-20T12:00:00Z'];
  const { code, err } = await run(words, environment);
  t.deepEqual([code, err], [0, '']);
  t.like(JSON.parse(await readFile(file, 'utf8')), {
    $schema: '../../schema/fixture.schema.json',
    asOf: '2026-11-20T12:00:00.000Z',
    user: { id: 'usr_x', email: 'dana@x.test', name: 'Dana', password: 'chosen' },
    sessions: [{ value: 's' }],
    apiTokens: [{ token: 'chosen-token' }],
  });
});
