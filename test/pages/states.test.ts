import test from 'ava';
import { statesOf } from '../../src/simulation/states/index.js';
import { startTriageApi } from '../../src/testing/server.js';

const open = (url: string, fields: Readonly<Record<string, string>>, headers = {}) =>
  fetch(`${url}/explore/states`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
    headers,
  });

test('the states are listed in groups, found by words, and there as JSON', async (t) => {
  await using api = await startTriageApi();
  const page = async (query: string) => (await fetch(`${api.url}/explore/states${query}`)).text();
  const all = await page('');
  for (const { id } of statesOf()) t.true(all.includes(`state=${encodeURIComponent(id)}"`), id);
  t.regex(all, /<h2 id="failures">Failures/);
  const found = await page('?q=page+filter&next=%2Fmine');
  t.regex(found, /<p role="status">1 of \d+ states/);
  t.regex(found, /state=findings.filter-empties-page&#38;next=%2Fmine"/);
  const json: unknown = await (await fetch(`${api.url}/explore/states.json`)).json();
  t.deepEqual(
    Object(json).map(({ id }: { id: string }) => id),
    statesOf().map(({ id }) => id),
  );
});

test('the page of a state says what it is, and has it as a request, a rule and a test to copy', async (t) => {
  await using api = await startTriageApi();
  const text = await (await fetch(`${api.url}/explore/states?state=listPrs.503`)).text();
  t.regex(text, /<code>listPrs<\/code> answers 503: Service unavailable\. A page shows an error\./);
  t.regex(text, /Prefer: state=listPrs\.503/);
  t.regex(text, /&#34;operation&#34;: &#34;listPrs&#34;,\s+&#34;code&#34;: 503/);
  t.regex(text, /test\.use\(\{ state: &#39;listPrs\.503&#39; \}\);/);
});

test('a button opens a page of this host as a tenant in the state', async (t) => {
  await using api = await startTriageApi();
  const opened = await open(api.url, { state: 'findings.none', next: '/api/v1/findings?limit=25' });
  t.deepEqual([opened.status, opened.headers.get('location')], [303, '/api/v1/findings?limit=25']);
  const [cookie = ''] = opened.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
  const answer = await fetch(`${api.url}/api/v1/findings`, { headers: { cookie } });
  t.is(Object(await answer.json()).totalItems, 0);

  const elsewhere = await open(api.url, { state: 'ordinary', next: 'http://127.0.0.1:5173/findings' });
  t.is(elsewhere.headers.get('location'), 'http://127.0.0.1:5173/findings');
  const nobody = await open(api.url, { state: 'credentials.none', next: '/explore' });
  t.regex(nobody.headers.getSetCookie().join(), /^session=;.*expires=Thu, 01 Jan 1970/);
});

test('a state that there is not, and a page of another host, are refused', async (t) => {
  await using api = await startTriageApi();
  const unknown = await open(api.url, { state: 'findings.nine', next: '/explore' });
  t.is(unknown.status, 400);
  t.regex(await unknown.text(), /no state is called &#34;findings\.nine&#34;; did you mean/);
  for (const next of [
    'https://evil.test/',
    '//evil.test/',
    'javascript:alert(1)',
    'http://127.0.0.1.evil.test/',
    '',
  ]) {
    const refused = await open(api.url, { state: 'ordinary', next });
    t.deepEqual([refused.status, refused.headers.get('location')], [400, null], next);
  }
  const crossSite = await open(api.url, { state: 'ordinary', next: '/' }, { 'Sec-Fetch-Site': 'cross-site' });
  t.is(crossSite.status, 404);
});
