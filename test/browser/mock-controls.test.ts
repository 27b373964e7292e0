import test from 'ava';
import { listen } from '../cli/_cli.js';
import { browse, strangersHost } from './_browser.js';
import { pageOnAPort } from './_page-on-a-port.js';

/** Everything that a page can send without being asked for permission, and what it is asked for. */
const attack = (api: string): string => `(async () => {
  const rule = JSON.stringify({ code: 500 });
  const attempts = [
    { method: 'POST', mode: 'no-cors', body: rule },
    { method: 'POST', mode: 'no-cors', body: new URLSearchParams({ code: '500' }) },
    { method: 'POST', mode: 'no-cors', body: new Blob([rule], { type: 'text/plain' }) },
    { method: 'POST', body: rule, headers: { 'Content-Type': 'application/json' } },
    { method: 'DELETE' },
    { method: 'GET' },
    { method: 'GET', mode: 'no-cors' },
  ];
  const read = [];
  for (const init of attempts) {
    const answer = await fetch('${api}/__admin/faults', { ...init, credentials: 'include' }).catch(() => null);
    if (answer !== null && answer.type !== 'opaque') read.push(answer.status + ' ' + (await answer.text()));
  }
  for (const type of ['application/json', 'text/plain']) {
    const init = { method: 'POST', body: '{}', headers: { 'Content-Type': type }, credentials: 'include' };
    const answer = await fetch('${api}/__admin/tenants', init).catch(() => null);
    if (answer !== null) read.push(answer.status + ' ' + (await answer.text()));
  }
  navigator.sendBeacon('${api}/__admin/faults', new Blob([rule], { type: 'text/plain' }));
  return read;
})()`;

const postForm = (api: string): string => `(() => {
  const form = document.createElement('form');
  form.method = 'post';
  form.enctype = 'text/plain';
  form.action = '${api}/__admin/faults';
  const field = document.createElement('input');
  field.name = '{"code":500,"x":"';
  field.value = '"}';
  form.append(field);
  document.body.append(form);
  form.submit();
})()`;

const untouched = [{ id: 'fault-1', operation: 'listPrs', code: 503, matched: 0, applied: 0 }];

test('a page of another site cannot use the controls of a server on this machine', async (t) => {
  const { url } = await listen(t, []);
  const added = await fetch(`${url}/__admin/faults`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ operation: 'listPrs', code: 503 }),
  });
  t.is(added.status, 201);
  const rules = async () => (await fetch(`${url}/__admin/faults`)).json();
  const page = await (await browse(t)).newPage();
  const port = await pageOnAPort(t);
  // Another site, and another port of this machine, whose pages CORS allows to read the API.
  for (const host of [strangersHost, 'localhost', '127.0.0.1']) {
    await page.goto(`http://${host}:${port}`);
    for (const status of await page.evaluate<readonly string[]>(attack(url)))
      t.is(status, '404 {"error":"Not found"}', host);
    const answer = page.waitForResponse(`${url}/__admin/faults`);
    await page.evaluate(postForm(url));
    t.is((await answer).status(), 404, host);
    await page.waitForURL(`${url}/__admin/faults`);
    t.deepEqual(await rules(), untouched, host);
    t.deepEqual(await (await fetch(`${url}/__admin/tenants`)).json(), [], host);
  }
});

test('a page whose domain has been given the address of this machine cannot use them either', async (t) => {
  // Every host is answered, so that nothing but the guard of the controls stands in the way.
  const { url } = await listen(t, ['--host', '0.0.0.0']);
  const { port } = new URL(url);
  const rebound = `http://${strangersHost}:${port}`;
  const page = await (await browse(t)).newPage();
  // A page that may send requests to where it comes from.
  await page.goto(`${rebound}/docs`);
  const status = await page.evaluate<readonly number[]>(`(async () => {
    const json = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ code: 500 });
    return [
      (await fetch('/__admin/requests')).status,
      (await fetch('/__admin/faults', { method: 'POST', headers: json, body })).status,
    ];
  })()`);
  t.deepEqual(status, [404, 404]);
  t.deepEqual(await (await fetch(`http://127.0.0.1:${port}/__admin/faults`)).json(), []);
});

test('the reference of the controls tries them', async (t) => {
  const { url } = await listen(t, []);
  const page = await (await browse(t)).newPage();
  await page.goto(`${url.replace('127.0.0.1', 'localhost')}/docs`);
  await page.getByRole('link', { name: 'mock controls' }).click();
  await page.locator('#operations-Faults-listFaults').getByRole('button').first().click();
  const answer = page.waitForResponse(/\/__admin\/faults$/);
  await page.locator('#operations-Faults-listFaults').getByRole('button', { name: 'Execute' }).click();
  t.is((await answer).status(), 200);
});
