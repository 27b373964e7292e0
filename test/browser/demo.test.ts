import test from 'ava';
import { violations } from './_axe.js';
import { browse, strangersHost } from './_browser.js';
import { logInTo, request, wholeVisit, writeDemo } from './_demo.js';
import { pageOnAPort } from './_page-on-a-port.js';
import { staticHost } from './_static-host.js';

test('a visit to a demo at the root of a static host, until there is no network', async (t) => {
  const host = await staticHost(t, await writeDemo(t, '.'));
  await wholeVisit(t, `${host.origin}/`, host.stop);
});

test('a form of another site that posts to a demo is refused, and its own are not', async (t) => {
  const { origin } = await staticHost(t, await writeDemo(t, 'x/y'));
  const base = `${origin}/x/y/`;
  const page = await (await browse(t)).newPage();
  await logInTo(page, base, 'Dana Whitfield');
  const action = `${base}__demo/reset`;
  const form = `<form method="post" action="${action}"><button>Go</button></form>`;
  for (const head of ['', '<meta name="referrer" content="no-referrer">']) {
    await page.goto(`http://${strangersHost}:${await pageOnAPort(t)}/`);
    await page.setContent(`${head}${form}`);
    await page.getByRole('button', { name: 'Go' }).click();
    await page.getByRole('heading', { name: 'Request refused' }).waitFor();
  }
  await page.goto(base);
  t.is(await page.getByRole('button', { name: 'Log out' }).count(), 1);
});

test('the pages of a demo are as accessible as those of the server', async (t) => {
  const { origin } = await staticHost(t, await writeDemo(t, '.'));
  const page = await (await browse(t, { bypassCSP: true })).newPage();
  await logInTo(page, `${origin}/`, 'Dana Whitfield');
  for (const path of [
    '',
    'explore',
    'explore/findings/fix_0001',
    'explore/controls',
    'settings/api-tokens',
  ]) {
    await page.goto(`${origin}/${path}`);
    t.deepEqual(await violations(page), [], path);
  }
});

test('two visitors share nothing', async (t) => {
  const { origin } = await staticHost(t, await writeDemo(t, 'x/y'));
  const base = `${origin}/x/y/`;
  const one = await (await browse(t)).newPage();
  const other = await (await browse(t)).newPage();
  await logInTo(one, base, 'Dana Whitfield');
  await one.goto(`${base}docs`);
  await other.goto(`${base}docs`);
  await other.getByRole('button', { name: 'Reset this demo' }).waitFor();
  t.is((await request(one, `${base}api/v1/repos`))[0], 200);
  t.is((await request(other, `${base}api/v1/repos`))[0], 401);
});
