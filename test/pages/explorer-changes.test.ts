import test from 'ava';
import { createSimulation } from '../../src/simulation/simulation.js';
import { serveWorld } from './_explore.js';

const problems = {
  total: 1,
  first: [{ message: 'bad', place: { file: 'secret/a.json', line: 1, column: 2 }, frame: '> 1 | {' }],
};

/** Something that changes; its version and problems can be set. */
const changing = () => {
  const state: { version: string; problems: typeof problems | null } = { version: 'v-0', problems: null };
  return { state, changes: { version: () => state.version, problems: () => state.problems } };
};

const simulation = () => createSimulation({ seed: 1, journalSize: 10, maxHang: 1000 });

const json = (more: Readonly<Record<string, string>> = {}): RequestInit => ({
  headers: { Cookie: 'session=acme-cookie', Accept: 'application/json', ...more },
});

test('a page asks for changes with the tag of the last answer, and gets a 304 until there is one', async (t) => {
  const { state, changes } = changing();
  const { ask } = await serveWorld(t, { changes, simulation: simulation() });
  const first = await ask('/explore/changes', json());
  t.is(first.status, 200);
  t.deepEqual(first.body, { version: 'v-0', every: 1000, problems: null });
  t.is(first.headers.get('cache-control'), 'no-store');
  let tag = first.headers.get('etag') ?? '';
  t.is((await ask('/explore/changes', json({ 'If-None-Match': tag }))).status, 304);
  for (const change of [{ version: 'v-1' }, { problems }, { problems: null }]) {
    Object.assign(state, change);
    const next = await ask('/explore/changes', json({ 'If-None-Match': tag }));
    t.deepEqual([next.status, next.body], [200, { ...state, every: 1000 }]);
    tag = next.headers.get('etag') ?? '';
    t.is((await ask('/explore/changes', json({ 'If-None-Match': tag }))).status, 304);
  }
});

test('a page without a valid session that asks for changes gets a 401', async (t) => {
  const { ask } = await serveWorld(t, { changes: changing().changes });
  for (const Cookie of ['session=unknown', 'session=acme-expired', '']) {
    const { status, body } = await ask('/explore/changes', json({ Cookie }));
    t.deepEqual([status, body], [401, { error: 'Unauthorized' }]);
  }
});

test('problems, which name and quote files, are for browsers of this machine that may use the controls', async (t) => {
  const { state, changes } = changing();
  state.problems = problems;
  for (const [over, headers, isShown] of [
    [{}, {}, true],
    [{}, { 'X-Forwarded-For': '203.0.113.1' }, false],
    [{}, { Forwarded: 'for=203.0.113.1' }, false],
    [{}, { 'CF-Connecting-IP': '203.0.113.1' }, false],
    [{}, { 'Sec-Fetch-Site': 'cross-site' }, false],
    [{}, { 'Sec-Fetch-Site': 'same-site' }, false],
    [{}, { Origin: 'http://localhost:5173' }, false],
    [{ simulation: null }, {}, false],
    [{ trustProxy: true }, {}, false],
  ] as const) {
    const { ask } = await serveWorld(t, { changes, simulation: simulation(), ...over });
    const { body } = await ask('/explore/changes', json(headers));
    const expected = isShown ? { every: 1000, problems } : { every: 10_000, problems: null };
    t.deepEqual(body, { version: 'v-0', ...expected }, JSON.stringify([over, headers]));
  }
});

test('neither the access log nor the journal has a request that got a 304', async (t) => {
  const { changes } = changing();
  const controls = simulation();
  const { ask, accessed, untilAccessed } = await serveWorld(t, { changes, simulation: controls });
  const tag = (await ask('/explore/changes', json())).headers.get('etag') ?? '';
  for (let count = 0; count < 20; count += 1)
    t.is((await ask('/explore/changes', json({ 'If-None-Match': tag }))).status, 304);
  await ask('/healthz');
  await untilAccessed(2);
  t.deepEqual(
    accessed.map(({ operation }) => operation),
    ['GET /explore/changes', 'GET /healthz'],
  );
});

test('a page knows the version that it shows, and none where the server cannot tell a change', async (t) => {
  const { state, changes } = changing();
  const { ask } = await serveWorld(t, { changes });
  for (const path of ['/explore', '/explore/findings', '/explore/findings/unknown', '/explore/prs?page=x']) {
    state.version = `v-${path.length}`;
    t.true((await ask(path, json({ Accept: 'text/html' }))).text.includes(`data-version="${state.version}"`));
  }
  const still = await serveWorld(t);
  t.true((await still.ask('/explore', json({ Accept: 'text/html' }))).text.includes('data-version=""'));
  t.is((await still.ask('/explore/changes', json())).status, 404);
});

test('the script of the explorer is revalidated by its tag, compressed or not', async (t) => {
  const { ask } = await serveWorld(t);
  for (const encoding of ['gzip', 'identity']) {
    const headers = { 'Accept-Encoding': encoding };
    const script = await ask('/assets/explore.js', { headers });
    t.regex(script.headers.get('content-type') ?? '', /^text\/javascript/);
    t.is(script.headers.get('cache-control'), 'public, no-cache');
    t.true(script.text.length < 16_000);
    const tag = script.headers.get('etag') ?? '';
    t.regex(tag, /^W\/"[\w-]{20,}"$/);
    const again = await ask('/assets/explore.js', { headers: { ...headers, 'If-None-Match': tag } });
    t.deepEqual([again.status, again.text], [304, '']);
  }
});
