import test from 'ava';
import { type AnyControls, connectControls } from '../../src/testing/connect-controls.js';
import { bearer, cookie } from '../_server.js';
import { listen, run } from '../cli/_cli.js';
import { now } from './_pair.js';
import { problemsOf, started } from './_start.js';

/** What a test does with controls, whether they are here or there, and what it sees. */
const story = async (controls: AnyControls, url: string) => {
  const get = (path: string) => fetch(`${url}/api/v1${path}`, cookie('acme-session'));
  const seen: unknown[] = [];
  const see = async (path: string): Promise<void> => void seen.push(await (await get(path)).json());
  const rule = await controls.faults.add({ operation: 'listPrs', code: 503, times: 1 });
  seen.push(rule, (await get('/prs')).status, (await get('/prs')).status);
  seen.push(await controls.faults.list(), await controls.faults.remove(rule.id));
  seen.push(await controls.faults.remove('fault-99'));
  await controls.faults.add({ delay: 1 });
  await controls.faults.clear();
  seen.push(await controls.faults.list());

  const reconciledAt = new Date('2026-11-19T12:00:00Z');
  await controls.patch('findings', 'fix_0001', { severity: 'low', reconciledAt }, 'acme');
  await controls.insert('findings', { id: 'new', severity: 'critical', discoveredAt: reconciledAt }, 'acme');
  await see('/findings/fix_0001');
  await see('/findings?limit=1');
  await controls.remove('findings', 'new', 'acme');
  await see('/findings?limit=1');
  seen.push(await controls.reset());
  await get('/prs');
  await see('/findings/fix_0001');
  await controls.expireSession('acme');
  await see('/findings/fix_0001');
  await controls.setCredentials({ session: 'valid' }, 'acme');

  await controls.clock.advance('1h');
  await controls.clock.advance(60_000);
  seen.push(await controls.clock.now());
  await controls.clock.set(new Date('2027-01-01T00:00:00Z'));
  seen.push(await controls.clock.now());
  await controls.clock.set(now);
  await controls.clock.run();
  const later = '2026-11-21T12:00:00.001Z';
  for (const moment of [new Date('2026-12-24T18:00:00Z'), later, later]) {
    await controls.setNow(moment);
    seen.push(await controls.clock.now());
  }
  await see('/findings/fix_0001');
  await controls.clock.set(now);

  const requests = await controls.requests({ operation: 'listPrs' });
  seen.push(requests.map(({ status, simulated }) => [status, simulated]));
  seen.push((await controls.waitFor({ operation: 'getFinding', since: '0' })).status);
  seen.push(await controls.removeTenant('nobody'));
  return JSON.parse(JSON.stringify(seen));
};

test('the same code controls a server in the test and one elsewhere, by controls that are all in its table', async (t) => {
  const [here, { url }] = [await started(t), await started(t)];
  const table: unknown = await (await fetch(`${url}/__admin/`)).json();
  const rows = Array.isArray(table) ? table.map(({ method, path }) => `${method} ${path}`) : [];
  const unused = new Set<string>(rows);
  const controls = connectControls({
    url,
    fetch: (target, init) => {
      const request = `${init.method} ${new URL(target).pathname}`;
      const isRow = (row: string) => RegExp(`^${row.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(request);
      const found = rows.includes(request) ? [request] : rows.filter(isRow);
      t.is(found.length, 1, request);
      for (const row of found) unused.delete(row);
      return fetch(target, init);
    },
  });
  t.deepEqual(await story(controls, url), await story(here, here.url));
  await controls.clock.release();
  const { clock } = await controls.createTenant();
  await clock.set(now);
  await clock.now();
  await clock.release();
  t.deepEqual(Array.from(unused).sort(), [
    'DELETE /__admin/requests',
    'GET /__admin/requests/{id}',
    'GET /__admin/tenants',
    'GET /__admin/tenants/{id}',
    'PUT /__admin/faults/{id}',
  ]);
});

test('a tenant that was made elsewhere has its own credentials, data, rules, journal and clock', async (t) => {
  const { url } = await started(t);
  const { createTenant, removeTenant, ...all } = connectControls({ url: `${url}/` });
  const [mine, other] = [
    await createTenant({ from: 'acme', ttl: '1h' }),
    await createTenant({ from: 'acme' }),
  ];
  const controls = connectControls({ url, tenant: mine.name });
  const status = async (session: string) => (await fetch(`${url}/api/v1/prs`, cookie(session))).status;

  const ofOther = await all.faults.add({ code: 500, tenant: other.name });
  t.is(await controls.faults.remove(ofOther.id), false);
  await controls.faults.add({ code: 503 });
  t.deepEqual([await status(mine.session), await status(other.session)], [503, 500]);
  t.deepEqual([(await controls.faults.list()).length, (await all.faults.list()).length], [1, 2]);
  t.deepEqual(
    (await controls.requests()).map((entry) => entry.status),
    [503],
  );
  await controls.faults.clear();
  t.deepEqual([await status(mine.session), await status(other.session)], [200, 500]);
  await all.faults.clear();

  await controls.clock.set('2028-02-29T00:00:00Z');
  t.deepEqual([await mine.clock.now(), await all.clock.now()], ['2028-02-29T00:00:00.000Z', now]);
  const severity = async () =>
    Object(await (await fetch(`${url}/api/v1/findings/fix_0001`, bearer(mine.token))).json()).severity;
  const before = await severity();
  await controls.patch('findings', 'fix_0001', { severity: 'low' }, 'acme');
  t.is(await severity(), before);
  await controls.patch('findings', 'fix_0001', { severity: 'medium' });
  t.is(await severity(), 'medium');
  await controls.reset();
  t.is(await severity(), before);
  t.true(mine.password.length > 10 && mine.user.id === mine.name && mine.expiresAt !== null);
  t.is(await removeTenant(mine.name), true);
  t.is(await status(mine.session), 401);
});

test('what a server refuses is reported with the request that it refused', async (t) => {
  const { url } = await started(t);
  const controls = connectControls({ url });
  const ofNobody = connectControls({ url, tenant: 'acmee' });
  const noDate = new Date('tomorrow');
  const rows: readonly (readonly [call: () => Promise<unknown>, problem: RegExp])[] = [
    [() => controls.faults.add({ code: 99 }), /^POST http.*\/__admin\/faults: .*code/],
    [() => controls.patch('findings', 'x', {}), /^patch: name a tenant here/],
    [
      () => controls.patch('findings', 'fix_0001', { reconciledAt: noDate }, 'acme'),
      /: \/findings\/fix_0001\/reconciledAt is an invalid Date$/,
    ],
    [() => controls.clock.set(noDate), /now: expected.*Invalid Date/],
    [() => ofNobody.faults.list(), /did you mean "acme"/],
    [() => ofNobody.faults.clear(), /did you mean "acme"/],
    [() => ofNobody.reset(), /did you mean "acme"/],
  ];
  for (const [call, problem] of rows) t.regex((await problemsOf(call())).join('\n'), problem);
  for (const moment of [noDate, 'tomorrow', '2026-11-20'])
    t.regex((await problemsOf(controls.setNow(moment))).join('\n'), /^setNow: expected a moment in UTC/);
  for (const name of ['.', '..'])
    for (const call of [
      controls.removeTenant(name),
      controls.faults.remove(name),
      controls.patch('repos', 'x', {}, name),
    ])
      t.regex((await problemsOf(call)).join('\n'), /no name of a tenant or a rule$/);
  t.throws(() => connectControls({ url: 'ftp://x' }), { message: /url: expected an http or https URL/ });
});

for (const [what, answer, problem] of [
  [
    'no server',
    () => {
      throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
    },
    /cannot be reached \(connect ECONNREFUSED/,
  ],
  ['a page of a proxy', () => new Response('<html>', { status: 502 }), /status 502$/],
  [
    'a redirect',
    () => new Response(null, { status: 307, headers: { Location: 'http://other.test' } }),
    /status 307: redirects are not/,
  ],
  ['control characters', () => Response.json({ error: 'a\u001b[2Jb' }, { status: 400 }), /: a\\u001b\[2Jb$/],
  [
    'a body without an end',
    () => new Response(new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(2 ** 24)) })),
    /is longer than \d+ bytes$/,
  ],
  ['another JSON', () => Response.json({}), /not that of a server of this version/],
] as const)
  test(`connectControls reports ${what} in place of an answer`, async (t) => {
    const controls = connectControls({ url: 'http://api.test', fetch: async () => answer() });
    t.regex((await problemsOf(controls.faults.list())).join('\n'), problem);
  });

test('connectControls sends the token of --admin-token, which no message shows, and reports if it is missing', async (t) => {
  const token = 'a-token-of-at-least-32-characters!';
  const { url } = await listen(t, ['--admin-token', token, '--trust-proxy']);
  t.deepEqual(await connectControls({ url, token }).faults.list(), []);
  const [problem = ''] = await problemsOf(connectControls({ url }).faults.list());
  t.regex(problem, /not open to this program: pass `token`/);
  const { code, err } = await run(['serve', '--admin-token', 'too-short']);
  t.is(code, 2);
  t.notRegex(err, /too-short/);
});
