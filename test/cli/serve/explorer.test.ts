import test from 'ava';
import { listen } from '../_cli.js';

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
