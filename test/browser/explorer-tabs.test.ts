import test from 'ava';
import { listen } from '../cli/_cli.js';
import { livePage, replaced } from './_live.js';

test('many tabs are kept current, and a server that stops waits for none of them', async (t) => {
  const { page, visit, save, original, server } = await livePage(t);
  await visit('/explore/repos');
  const tabs = [page];
  while (tabs.length < 12) {
    const tab = await page.context().newPage();
    await tab.goto(`${server.url}/explore/repos`);
    tabs.push(tab);
  }
  await save(replaced(original, 'repo', 'storefront', 'in-all-tabs'));
  // Browsers open six connections to a server: tabs that each held one would keep others waiting forever.
  for (const tab of tabs) {
    await tab.bringToFront();
    await tab.getByText('in-all-tabs').first().waitFor();
  }
  const { code, err } = await server.end('SIGTERM');
  t.is(code, 0);
  t.notRegex(err, /cut off/);
  await page.bringToFront();
  await page.locator('.notice:has-text("The server does not answer")').waitFor();
  t.true(await page.getByText('in-all-tabs').first().isVisible());
});

test('when the server is back, the page is current again by itself', async (t) => {
  const { page, server, visit } = await livePage(t);
  await visit('/explore/findings');
  await server.end('SIGTERM');
  const notice = page.locator('.notice:has-text("The server does not answer")');
  await notice.waitFor();
  await listen(t, ['--port', new URL(server.url).port, '--no-watch']);
  await notice.waitFor({ state: 'detached' });
  t.true(await page.locator('.rows tbody').first().isVisible());
});
