import test from 'ava';
import { createSimulation } from '../../src/simulation/simulation.js';
import { sharedServer } from '../_server.js';
import { acme, nobody, other } from '../koa/_world.js';
import { started } from '../testing/_start.js';
import { browser, foreignScript, serveWorld, textOf } from './_explore.js';

const { ask } = sharedServer(test, [acme, other, nobody]);

const view = async (path: string, session = 'acme-cookie') => {
  const { status, text } = await ask(path, browser(session));
  return { status, markup: text, text: textOf(text).replaceAll(/\s+/g, ' ') };
};

/** Every scalar in a JSON value, as a page shows it. */
const scalars = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return value === '' ? [] : [String(value)];
  return Object.values(value).flatMap(scalars);
};

/** The names of the fields of a finding, or of rows. */
const namesIn = (value: unknown): readonly string[] =>
  Array.isArray(value)
    ? value.flatMap((row) => [...Object.keys(row), ...Object.keys(row.lastScan ?? {})])
    : Object.keys(Object(value));

const timestamp = /^\d{4}-.*Z$/;

/** The content of a page without the panel that repeats the JSON. */
const content = (markup: string): string => markup.replace(/<aside class="request"[\s\S]*<\/aside>/, '');

for (const target of [
  '/repos',
  '/findings',
  '/findings?page=2&limit=2',
  '/findings/d1',
  '/prs',
  '/prs?status=closed',
]) {
  test(`${target} shows every field that the API answers once, with its value`, async (t) => {
    const answered = await ask(`/api/v1${target}`, browser('acme-cookie'));
    const { status, markup } = await view(`/explore${target}`);
    t.is(status, 200);
    const { items = answered.body } = Object(answered.body);
    const [text, raw] = [textOf(content(markup)), content(markup)];
    t.true(scalars(items).length > 10);
    const name = Array.isArray(items) ? /<span class="key">(\w+)</g : /<th scope="row"><code>(\w+)</g;
    t.deepEqual(Array.from(raw.matchAll(name), ([, found]) => found).sort(), namesIn(items).toSorted());
    for (const each of scalars(items)) {
      t.true(timestamp.test(each) ? raw.includes(`datetime="${each}"`) : text.includes(each), each);
    }
    t.true(textOf(markup).includes(JSON.stringify(answered.body, null, 2)));
    t.true(textOf(markup).includes(`GET /api/v1${target}`));
  });
}

test('every number of the overview leads to exactly the rows that it counts', async (t) => {
  const { url } = await started(t, { now: '2026-11-20T12:00:00Z' });
  const open = async (path: string) => (await fetch(`${url}${path}`, browser('acme-session'))).text();
  const overview = await open('/explore');
  const rowsBehind = async (href: string) => {
    const path = href.replaceAll('&#38;', '&');
    const limit = path.startsWith('/explore/repos') ? '' : `${path.includes('?') ? '&' : '?'}limit=100`;
    return content(await open(`${path}${limit}`));
  };
  const numbers = [
    /<a href="([^"]+)"><span class="count">(\d+)</g,
    /<a href="([^"]+)" aria-label="[^"]*: ([^"]+)"/g,
    /<td><a href="([^"]+)">(\d+)</g,
  ].map((pattern) => Array.from(overview.matchAll(pattern)));
  t.true(numbers.every(({ length }) => length >= 5));
  for (const [, href = '', figures = ''] of numbers.flat()) {
    const count = (figures.match(/\d+/g) ?? []).reduce((sum, each) => sum + Number(each), 0);
    t.is((await rowsBehind(href)).match(/data-key=/g)?.length ?? 0, count, href);
  }
  const repos = Array.from(
    overview.matchAll(/<a href="([^"]+)"><bdi>[^<]*<\/bdi><\/a><\/th>.*?<td>(\d+)</gs),
  );
  t.is(repos.length, 7);
  for (const [, href = '', count = ''] of repos) {
    const advisories = (await rowsBehind(href)).match(/GHSA-[\w-]+/g);
    t.is(new Set(advisories).size, Number(count), href);
  }
});

for (const path of [
  '/findings?severity=worst',
  '/findings?severity=',
  '/findings?page=0&limit=x',
  '/findings?page=1&page=2',
  '/prs?status=%3Cscript%3E',
]) {
  test(`${path} shows the same 400 as the API`, async (t) => {
    const { body } = await ask(`/api/v1${path}`, browser('acme-cookie'));
    const { status, markup, text } = await view(`/explore${path}`);
    t.is(status, 400);
    t.true(text.includes(`400 ${Object(body).error}`));
    t.notRegex(markup, foreignScript);
    t.true(textOf(markup).includes(JSON.stringify(body, null, 2)));
  });
}

for (const [title, path, ...parts] of [
  [
    'filters of findings narrow the page, which says that the totals ignore them',
    '/findings?severity=critical',
    /1 item matches on this page/,
    /totalItems \(5\) and totalPages \(1\) ignore them \(contract, section 4.2\)/,
  ],
  [
    'a page on which nothing matches leads to the next one',
    '/findings?severity=critical&limit=1',
    /Nothing on this page matches/,
    /href="\/explore\/findings\?page=2&#38;limit=1&#38;severity=critical"/,
  ],
  [
    'the filter of pull requests narrows the totals, as the page says',
    '/prs?status=closed',
    /3 closed pull requests/,
    /prState null, “closed” or “cancelled”/,
  ],
  [
    'findings of an unknown repository may be those of somebody else',
    '/findings?repoId=nope',
    /somebody else/,
  ],
  [
    'pull requests of another tenant may be those of somebody else',
    '/prs?repoId=secret-repo',
    /somebody else/,
  ],
  ...['findings', 'prs'].map(
    (list) =>
      [
        `a page of ${list} beyond the last one leads to the last one`,
        `/${list}?page=9007199254740991`,
        /beyond the last one/,
        /class="button" href="[^"]*">Go to the last page/,
      ] as const,
  ),
  [
    'parameters that the API ignores are named, and stay in the request',
    '/prs?stauts=open&x=%3Cb%3E',
    /The API ignores unknown parameters: stauts , x/,
    /GET \/api\/v1\/prs\?stauts=open&x=%3Cb%3E/,
  ],
] as const)
  test(title, async (t) => {
    const { status, markup, text } = await view(`/explore${path}`);
    t.is(status, 200);
    for (const part of parts) t.true(part.test(text) || part.test(markup), String(part));
  });

test('the form that chooses a repository keeps the other filters, and forgets the page', async (t) => {
  const { markup } = await view('/explore/findings?severity=critical&rows=unresolved&page=2');
  const [form = ''] = markup.match(/<form(?:(?!<\/form>).)*name="repoId".*?<\/form>/s) ?? [];
  const kept = Array.from(
    form.matchAll(/<input type="hidden" name="(\w+)" value="(\w+)"/g),
    ([, ...pair]) => pair,
  );
  t.deepEqual(kept, [
    ['severity', 'critical'],
    ['rows', 'unresolved'],
  ]);
});

test('a condition that the explorer does not know is refused with those that it knows', async (t) => {
  for (const [path, known] of [
    ['/findings?rows=unresolved,nope', /expected all, unresolved, open-pr or the first day of a week/],
    ['/prs?rows=toString', /expected all, other or the first day of a week/],
    ['/repos?rows=', /expected failed or the first day of a week/],
  ] as const) {
    const { status, text } = await view(`/explore${path}`);
    t.is(status, 400, path);
    t.regex(text, known);
  }
});

test('an empty tenant has a message of its own in every view', async (t) => {
  for (const [path, words] of [
    ['', /There is nothing here yet/],
    ['/repos', /No repositories yet/],
    ['/findings', /No findings yet/],
    ['/prs', /No pull requests yet/],
  ] as const)
    t.regex((await view(`/explore${path}`, 'nobody-cookie')).text, words);
});

test('an id with special characters has a page', async (t) => {
  const { markup, text: list } = await view('/explore/findings');
  t.true(markup.includes('href="/explore/findings/a%2Fb%20c%25d"'));
  t.notRegex(list, /section 4.2/, 'totals are explained only where a filter ignores them');
  const { status, text } = await view('/explore/findings/a%2Fb%20c%25d');
  t.is(status, 200);
  t.true(text.includes('GET /api/v1/findings/a%2Fb%20c%25d'));
});

test('an unknown finding, and one with a malformed id, has a page with the 404 of the API', async (t) => {
  for (const id of ['nope', '%', '%ff', "'%22%3E%3Cscript%3E"]) {
    const { status, markup, text } = await view(`/explore/findings/${id}`);
    t.is(status, 404);
    t.regex(text, /404 finding not found/);
    t.notRegex(markup, foreignScript);
  }
});

test('a finding and its pull requests link to each other, and rows name the state and the severity of the other', async (t) => {
  const { markup, text } = await view('/explore/findings/d4');
  t.regex(markup, /href="\/explore\/findings\?repoId=api"/);
  t.regex(markup, /href="\/explore\/prs\?repoId=api"/);
  t.is(markup.match(/href="\/explore\/findings\/d4"/g)?.length, 6);
  t.regex(text, /cancelled/);
  const findings = await view('/explore/findings');
  t.regex(findings.text, /PR cancelled/);
  t.regex(findings.markup, /href="\/explore\/findings\/d4#pull-requests"/);
  const prs = content((await view('/explore/prs')).markup);
  for (const part of [/href="\/explore\/findings\/d4"/, /class="severity severity-/]) t.regex(prs, part);
});

test('titles name the page, its filters and number', async (t) => {
  const { url } = await started(t);
  for (const [path, title] of [
    ['', 'Overview'],
    ['/findings?severity=high&repoId=repo_billing', 'Findings · acme-corp/billing-worker · high'],
    ['/prs?status=open&limit=5&page=2', 'Pull requests · open · page 2'],
    ['/states?q=page+filter', 'States · page filter'],
    ['/controls?operation=listPrs&status=401', 'Controls · listPrs · 401'],
    ['/findings/fix_0001', 'lodash in acme-corp/storefront'],
  ] as const) {
    const text = await (await fetch(`${url}/explore${path}`, browser('acme-session'))).text();
    t.is(/<title>(.*?)<\/title>/.exec(text)?.[1], `${title} · triage-api`);
  }
});

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
    [{}, { 'Sec-Fetch-Site': 'cross-site' }, false],
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

test('the scripts of all pages but the reference have 12 kB together', async (t) => {
  const [one = 0, other = 0] = await Promise.all(
    ['/assets/explore.js', '/assets/copy.js'].map(async (path) => (await ask(path)).text.length),
  );
  t.true(one > 500 && other > 500 && one + other <= 12 * 1024, `${one} + ${other}`);
});
