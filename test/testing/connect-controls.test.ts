import test from 'ava';
import { type AnyControls, connectControls } from '../../src/testing/connect-controls.js';
import { listen } from '../cli/_cli.js';
import { now } from './_pair.js';
import { problemsOf, started } from './_start.js';

/** What a test does with controls, whether they are here or there, and what it sees. */
const story = async (controls: AnyControls, get: (path: string) => Promise<Response>) => {
  const seen: unknown[] = [];
  const rule = await controls.faults.add({ operation: 'listPrs', code: 503, times: 1 });
  seen.push(rule, (await get('/api/v1/prs')).status, (await get('/api/v1/prs')).status);
  seen.push(await controls.faults.list(), await controls.faults.remove(rule.id));
  seen.push(await controls.faults.remove('fault-99'));
  await controls.faults.add({ delay: 1 });
  await controls.faults.clear();
  seen.push(await controls.faults.list());

  const reconciledAt = new Date('2026-11-19T12:00:00Z');
  await controls.patch('findings', 'fix_0001', { severity: 'low', reconciledAt }, 'acme');
  await controls.insert('findings', { id: 'new', severity: 'critical', discoveredAt: reconciledAt }, 'acme');
  seen.push(await (await get('/api/v1/findings/fix_0001')).json());
  seen.push(Object(await (await get('/api/v1/findings')).json()).totalItems);
  await controls.remove('findings', 'new', 'acme');
  seen.push(Object(await (await get('/api/v1/findings')).json()).totalItems);
  await controls.reset();
  seen.push(await (await get('/api/v1/findings/fix_0001')).json());

  seen.push(await controls.clock.now());
  await controls.clock.advance('1h');
  await controls.clock.advance(60_000);
  seen.push(await controls.clock.now());
  await controls.clock.set(new Date('2027-01-01T00:00:00Z'));
  seen.push(await controls.clock.now());
  await controls.clock.set(now);
  await controls.clock.run();
  for (const moment of [
    new Date('2026-12-24T18:00:00Z'),
    '2026-11-21T12:00:00.001Z',
    '2026-11-21T12:00:00.001Z',
  ]) {
    await controls.setNow(moment);
    seen.push(await controls.clock.now());
  }
  seen.push(Object(await (await get('/api/v1/findings/fix_0001')).json()).discoveredAt);
  await controls.clock.set(now);

  const asked = await controls.requests({ operation: 'listPrs' });
  seen.push(asked.map(({ status, simulated }) => [status, simulated]));
  seen.push(await controls.removeTenant('nobody'));
  return JSON.parse(JSON.stringify(seen));
};

const asAcme = (url: string) => (path: string) =>
  fetch(`${url}${path}`, { headers: { Cookie: 'session=acme-session' } });

test('the same code controls a server in the test and one elsewhere', async (t) => {
  const [here, there] = [await started(t), await started(t)];
  const seen = await story(here, asAcme(here.url));
  t.deepEqual(await story(connectControls({ url: there.url }), asAcme(there.url)), seen);
});

test('every request of connectControls is to a control of the table, and all but those that list have one', async (t) => {
  const { url } = await listen(t, ['--now', now]);
  const table: unknown = await (await fetch(`${url}/__admin/`)).json();
  const rows = Array.isArray(table) ? table.map(({ method, path }) => `${method} ${path}`) : [];
  const unused = new Set<string>(rows);
  const controls = connectControls({
    url,
    fetch: (target, init) => {
      const request = `${init.method} ${new URL(target).pathname}`;
      const ofTable = (row: string) => RegExp(`^${row.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(request);
      const found = rows.filter(ofTable);
      t.is(found.length, 1, request);
      for (const row of found) unused.delete(row);
      return fetch(target, init);
    },
  });
  await story(controls, asAcme(url));
  await controls.clock.release();
  const made = await controls.createTenant();
  await made.clock.set(now);
  await made.clock.now();
  await made.clock.release();
  t.deepEqual(Array.from(unused).sort(), [
    'DELETE /__admin/requests',
    'GET /__admin/tenants',
    'GET /__admin/tenants/{id}',
  ]);
});

test('a tenant that was made elsewhere has its own credentials, data, rules, journal and clock', async (t) => {
  const { url } = await listen(t, ['--now', now]);
  const { createTenant, removeTenant, ...all } = connectControls({ url: `${url}/` });
  const [mine, other] = [
    await createTenant({ from: 'acme', ttl: '1h' }),
    await createTenant({ from: 'acme' }),
  ];
  const controls = connectControls({ url, tenant: mine.name });
  const status = async (session: string) =>
    (await fetch(`${url}/api/v1/prs`, { headers: { Cookie: `session=${session}` } })).status;

  const ofOther = await all.faults.add({ code: 500, tenant: other.name });
  t.is(await controls.faults.remove(ofOther.id), false);
  await controls.faults.add({ code: 503 });
  t.deepEqual([await status(mine.session), await status(other.session)], [503, 500]);
  t.is((await controls.faults.list()).length, 1);
  t.deepEqual(
    (await controls.requests()).map((entry) => entry.status),
    [503],
  );
  await controls.faults.clear();
  t.deepEqual([await status(mine.session), await status(other.session)], [200, 500]);
  await all.faults.clear();

  await controls.clock.set('2028-02-29T00:00:00Z');
  t.is(await mine.clock.now(), '2028-02-29T00:00:00.000Z');
  t.is(await all.clock.now(), now);
  await mine.clock.release();
  t.is(await controls.clock.now(), now);

  const severities = () =>
    Promise.all(
      ['acme-token', mine.token, other.token].map(async (token) => {
        const answer = await fetch(`${url}/api/v1/findings/fix_0001`, {
          headers: { Authorization: `Bearer ${token}` },
        });
        return Object(await answer.json()).severity;
      }),
    );
  const before = await severities();
  for (const tenant of ['acme', other.name])
    await all.patch('findings', 'fix_0001', { severity: 'low' }, tenant);
  await controls.patch('findings', 'fix_0001', { severity: 'medium' });
  t.deepEqual(await severities(), ['low', 'medium', 'low']);
  await controls.reset();
  t.deepEqual(await severities(), ['low', before[1], 'low']);
  await all.reset('acme');
  t.deepEqual(await severities(), [before[0], before[1], 'low']);
  await all.reset(other.name);
  t.deepEqual(await severities(), before);
  t.true(mine.password.length > 10 && mine.user.id === mine.name && mine.expiresAt !== null);
  t.is(await removeTenant(mine.name), true);
  t.is(await status(mine.session), 401);
});

test('what the server refuses, and a server that is not there, is said with the call', async (t) => {
  const { url } = await listen(t, []);
  const controls = connectControls({ url });
  const said = async (call: Promise<unknown>) => (await problemsOf(call)).join('\n');
  t.regex(await said(controls.faults.add({ code: 99 })), /^POST http.*\/__admin\/faults: .*code/);
  t.regex(await said(controls.patch('findings', 'x', {}, 'acme')), /no entry of findings has the id "x"/);
  t.regex(await said(controls.patch('findings', 'x', {})), /^patch: name a tenant here/);
  const reconciledAt = new Date('tomorrow');
  t.regex(
    await said(controls.patch('findings', 'fix_0001', { reconciledAt }, 'acme')),
    /: \/findings\/fix_0001\/reconciledAt is an invalid Date$/,
  );
  t.regex(
    await said(controls.insert('findings', { reconciledAt }, 'acme')),
    /: \/findings\/\/reconciledAt is an invalid Date$/,
  );
  t.regex(
    await said(controls.insert('findings', { repoId: 'nope' }, 'acme')),
    /: \/findings\/\d+\/repoId: no/,
  );
  t.regex(await said(controls.createTenant({ from: 'acmee' })), /did you mean "acme"/);
  t.regex(await said(controls.clock.set('tomorrow')), /now: expected/);
  t.regex(await said(controls.clock.set(new Date('tomorrow'))), /now: expected.*Invalid Date/);
  for (const moment of [new Date('tomorrow'), 'tomorrow', '2026-11-20'])
    t.regex(await said(controls.setNow(moment)), /^setNow: expected a moment in UTC/);
  t.regex(await said(controls.reset('nobody')), /nobody/);
  const ofNobody = connectControls({ url, tenant: 'acmee' });
  for (const call of [ofNobody.faults.list(), ofNobody.faults.clear(), ofNobody.reset()])
    t.regex(await said(call), /did you mean "acme"/);
  const away = async () => {
    throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
  };
  t.regex(
    await said(connectControls({ url, fetch: away }).reset()),
    /cannot be reached \(connect ECONNREFUSED/,
  );
  const page = connectControls({ url, fetch: async () => new Response('<html>', { status: 502 }) });
  t.regex(await said(page.faults.list()), /status 502$/);
  const elsewhere = async () =>
    new Response(null, { status: 307, headers: { Location: 'http://other.test' } });
  t.regex(await said(connectControls({ url, fetch: elsewhere }).reset()), /status 307: redirects are not/);
  const rude = async () => Response.json({ error: 'a\u001b[2Jb' }, { status: 400 });
  t.regex(await said(connectControls({ url, fetch: rude }).reset()), /: a\\u001b\[2Jb$/);
  const endless = async () =>
    new Response(new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(2 ** 24)) }));
  t.regex(await said(connectControls({ url, fetch: endless }).reset()), /is longer than \d+ bytes$/);
  for (const name of ['.', '..'])
    for (const call of [
      controls.removeTenant(name),
      controls.faults.remove(name),
      controls.patch('repos', 'x', {}, name),
    ])
      t.regex(await said(call), /no name of a tenant or a rule$/);
  t.throws(() => connectControls({ url: 'ftp://x' }), { message: /url: expected an http or https URL/ });
  const foreign = connectControls({ url, fetch: async () => Response.json({}) });
  t.regex(await said(foreign.faults.list()), /not that of a server of this version/);
});

test('where the controls need a token, it is sent, and its lack is said', async (t) => {
  const token = 'a-token-of-at-least-32-characters!';
  const { url } = await listen(t, ['--admin-token', token, '--trust-proxy']);
  t.deepEqual(await connectControls({ url, token }).faults.list(), []);
  const [problem = ''] = await problemsOf(connectControls({ url }).faults.list());
  t.regex(problem, /not open to this program: pass `token`/);
});
