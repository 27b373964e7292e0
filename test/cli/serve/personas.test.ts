import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { aRepo, aUser } from '../../_data.js';
import { cookie } from '../../_server.js';
import { directoryWith } from '../../storage/memory/_directory.js';
import { withPostgres } from '../../storage/postgres/_postgres.js';
import { listen, run } from '../_cli.js';

const { database } = withPostgres(test);

const signUp = (url: string, persona: string): Promise<Response> =>
  fetch(`${url}/signup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      email: `${persona}@new.test`,
      name: 'Ann',
      password: 'a-long-enough-one',
      persona,
    }),
  });

/** How many repositories a new account has, and how many of them are demo rows. */
const reposOf = async (url: string, persona: string) => {
  const { headers } = await signUp(url, persona);
  const session = /session=([^;]+)/.exec(headers.get('set-cookie') ?? '')?.[1] ?? '';
  const repos: unknown = await (await fetch(`${url}/api/v1/repos`, cookie(session))).json();
  const rows = Array.isArray(repos) ? repos : [];
  return [rows.length, rows.filter((row) => Object(row).isDemoRow === true).length];
};

test('--signup-persona takes names with commas, as several arguments, and from the environment', async (t) => {
  const { url } = await listen(t, ['--signup-persona', 'acme,empty', 'boundary']);
  t.deepEqual(await reposOf(url, 'acme'), [9, 9]);
  t.deepEqual(await reposOf(url, 'empty'), [0, 0]);
  t.is((await signUp(url, 'large')).status, 400);
  const other = await listen(t, [], { TRIAGE_SIGNUP_PERSONA: 'acme, large' });
  t.deepEqual(await reposOf(other.url, 'large'), [30, 30]);
});

test('names that no fixture has are refused with the known ones, and so is an empty name', async (t) => {
  const unknown = await run(['--port', '0', '--signup-persona', 'acne,acme,nope']);
  t.is(unknown.code, 1);
  t.is(
    unknown.err,
    'persona "acne": expected one of acme, boundary, demo, empty, large; did you mean "acme"?\n' +
      'persona "nope": expected one of acme, boundary, demo, empty, large\n' +
      'refused: 2 problems\n',
  );
  const empty = await run(['--port', '0', '--signup-persona', 'acme,,demo']);
  t.deepEqual([empty.code, /^--signup-persona: expected names/.test(empty.err)], [2, true]);
});

test('a persona whose file vanishes cannot be chosen any more; one that changes is copied as it is then', async (t) => {
  const file = (name: string, repos: number) => ({
    user: aUser(name),
    repos: Array.from({ length: repos }, (_, index) => aRepo(`r${index}`)),
  });
  const directory = await directoryWith(t, { 'one.json': file('one', 1), 'two.json': file('two', 2) });
  const { url, shows } = await listen(t, ['--fixtures', directory, '--signup-persona', 'one,two']);
  t.deepEqual(await reposOf(url, 'two'), [2, 2]);
  await writeFile(join(directory, 'one.json'), JSON.stringify(file('one', 3)));
  await rm(join(directory, 'two.json'));
  await shows('new accounts cannot start with these personas now');
  t.deepEqual(await (await signUp(url, 'two')).json(), {
    error: 'persona: expected the name of a persona (one), or nothing, got "two"',
  });
  t.deepEqual(await reposOf(url, 'one'), [3, 3]);
});

test('with a database, personas are those of the package', async (t) => {
  const url = await database(t);
  const refused = await run(['--port', '0', '--database-url', url, '--signup-persona', 'nope']);
  t.regex(refused.err, /^persona "nope": expected one of acme, boundary, demo, empty, large\n/);
  const server = await listen(t, ['--database-url', url, '--signup-persona', 'acme']);
  t.deepEqual(await reposOf(server.url, 'acme'), [9, 9]);
  t.is((await signUp(server.url, 'large')).status, 400);
});
