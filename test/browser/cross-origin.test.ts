import test from 'ava';
import { listen } from '../cli/_cli.js';
import { browse, strangersHost } from './_browser.js';
import { pageOnAPort } from './_page-on-a-port.js';

/** Logs in and lists findings as a front end would, from whatever page it runs in. */
const logInAndList = (api: string): string => `(async () => {
  const credentials = 'include';
  const login = await fetch('${api}/login', {
    method: 'POST', credentials, headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'dana@acme.test', password: 'acme-password' }),
  });
  const { user } = await login.json();
  const findings = await fetch('${api}/api/v1/findings?limit=3&oops=1', { credentials });
  const { items, totalItems } = await findings.json();
  return [user.name, items.length, totalItems > 3, findings.headers.get('X-Triage-Warning') !== null];
})().catch((error) => 'refused: ' + error.message)`;

test('a front end on another port logs in and lists findings', async (t) => {
  const { url } = await listen(t, []);
  const page = await (await browse(t)).newPage();
  const api = url.replace('127.0.0.1', 'localhost');
  await page.goto(`http://localhost:${await pageOnAPort(t)}`);
  t.deepEqual(await page.evaluate(logInAndList(api)), ['Dana Whitfield', 3, true, true]);
});

test('a stranger’s page cannot read anything, nor act in its visitor’s name', async (t) => {
  const { url } = await listen(t, []);
  const context = await browse(t);
  const page = await context.newPage();
  await page.goto(`http://${strangersHost}:${await pageOnAPort(t)}`);
  t.is(await page.evaluate(logInAndList(url)), 'refused: Failed to fetch');
  const answer = page.waitForResponse(`${url}/logout`);
  await page.evaluate(`(() => {
    const form = document.createElement('form');
    form.method = 'post';
    form.action = '${url}/logout';
    document.body.append(form);
    form.submit();
  })()`);
  t.is((await answer).status(), 403);
  await page.getByText('Requests from other sites are not accepted.').waitFor();
});

test('a stranger’s page may call once it is listed', async (t) => {
  const port = await pageOnAPort(t);
  const { url } = await listen(t, ['--cors-origin', `http://${strangersHost}:${port}`]);
  const page = await (await browse(t)).newPage();
  await page.goto(`http://${strangersHost}:${port}`);
  t.is(
    await page.evaluate(
      `fetch('${url}/api/v1/prs', { headers: { Authorization: 'Bearer acme-token' } }).then((r) => r.status)`,
    ),
    200,
  );
});
