import test from 'ava';
import { withPostgres } from '../../storage/postgres/_postgres.js';
import { listen } from '../_cli.js';

const { database } = withPostgres(test);

const status = async (url: string, init: RequestInit = {}): Promise<number> =>
  (await fetch(url, { redirect: 'manual', ...init })).status;

test('serve prints a link to the explorer, which --no-explorer takes away', async (t) => {
  const server = await listen(t, []);
  const [, link = ''] = /^look at the data: (\S+)$/m.exec(server.err()) ?? [];
  t.is(link, `${server.url}/explore`);
  t.is(await status(link), 303);

  const without = await listen(t, ['--no-explorer']);
  t.notRegex(without.err(), /look at the data/);
  t.is(await status(`${without.url}/explore`), 404);
  t.notRegex(await (await fetch(without.url)).text(), /\/explore/);
});

test('TRIAGE_EXPLORER turns the explorer off, too', async (t) => {
  const server = await listen(t, [], { TRIAGE_EXPLORER: 'false' });
  t.is(await status(`${server.url}/explore`), 404);
});

test('over a database, the pages show the rows of a new account', async (t) => {
  const server = await listen(t, ['--database-url', await database(t)]);
  const { headers } = await fetch(`${server.url}/signup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'ann@new.test', name: 'Ann', password: 'a-long-enough-one' }),
  });
  const Cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
  const ask = async (path: string): Promise<string> => {
    const response = await fetch(`${server.url}${path}`, { headers: { Cookie } });
    t.is(response.status, 200, path);
    return response.text();
  };
  t.regex(await ask('/explore'), /<span class="count">4<\/span>\s*<span class="name">Repositories/);
  const { items } = JSON.parse(await ask('/api/v1/findings'));
  const list = await ask('/explore/findings');
  for (const { id } of items) t.true(list.includes(`href="/explore/findings/${id}"`));
  t.true((await ask(`/explore/findings/${items[0].id}`)).includes(items[0].advisoryId));
  await ask('/explore/repos');
  await ask('/explore/prs?status=open&limit=2');
});
