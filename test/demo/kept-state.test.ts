import test from 'ava';
import { hiddenHeaders } from '../../src/demo/open-demo.js';
import { contentOf, memory, opened } from './_demo.js';

const noon = Date.UTC(2026, 10, 20, 12);
const hour = 3_600_000;

const logIn = { email: 'dana@acme.test', password: 'acme-password' };

test('a worker that begins anew knows all that the one before has done', async (t) => {
  const content = await contentOf(['acme', 'demo']);
  const { store } = memory();
  let now = noon;
  const first = await opened(content, store, () => now);
  t.is((await first.post('/login', logIn)).status, 200);
  t.is((await first.post('/__admin/faults', { operation: 'listPrs', code: 503, times: 2 })).status, 201);
  t.is((await first.send('/api/v1/prs')).status, 503);
  const patch = { findings: { fix_0001: { status: 'escalated' } } };
  t.is((await first.post('/__admin/tenants/acme/patch', patch)).status, 204);
  const recipe = {
    from: 'acme',
    ttl: '2h',
    clock: { advance: '1d' },
    rules: [{ operation: 'getFinding', code: 500 }],
  };
  const made = Object(await (await first.post('/__admin/tenants', recipe)).json());
  const ofMade = { headers: { Authorization: `Bearer ${made.token}` }, credentials: 'omit' } as const;
  t.is((await first.send('/api/v1/prs', ofMade)).status, 503);
  t.is((await first.post(`/__admin/tenants/${made.id}/clock`, { advance: '30d' }, 'PUT')).status, 200);
  const paths = ['/api/v1/repos', '/api/v1/findings?limit=100', '/api/v1/findings/fix_0001', '/api/v1/prs'];
  // How long ago something was is no date.
  const answersOf = ({ text }: typeof first) =>
    Promise.all(paths.map(async (path) => (await text(path)).replaceAll(/"lastScanRelative":"[^"]*"/g, '')));
  const before = await answersOf(first);
  const ofMadeBefore = await first.text('/api/v1/prs', ofMade);
  const versionBefore = (await first.send('/explore/changes')).headers.get('ETag');

  now += hour;
  const second = await opened(content, store, () => now);
  t.deepEqual(await answersOf(second), before);
  t.is(await second.text('/api/v1/prs', ofMade), ofMadeBefore);
  t.is((await second.send('/explore/changes')).headers.get('ETag'), versionBefore);
  t.is((await second.json('/__admin/faults'))[0].applied, 2);
  const clockOfMade = async () => (await second.json(`/__admin/tenants/${made.id}/clock`)).now;
  t.is(await clockOfMade(), '2026-12-21T13:00:00.000Z');
  t.is((await second.post(`/__admin/reset?tenant=${made.id}`, {})).status, 200);
  t.is(await clockOfMade(), '2026-11-21T13:00:00.000Z');
  t.is((await second.send('/api/v1/findings/fix_0001', ofMade)).status, 500);
  t.is((await second.json('/api/v1/findings/fix_0001')).status, 'escalated');

  // The tenant ends in real time, whatever was stopped in between.
  now += 2 * hour;
  const third = await opened(content, store, () => now);
  t.is((await third.send('/api/v1/prs', ofMade)).status, 401);
  t.is((await third.send('/api/v1/prs')).status, 200);
});

test('an account that signed up keeps its rows with their dates, and its password is hashed by PBKDF2', async (t) => {
  const content = await contentOf(['acme', 'demo'], { personas: ['acme'] });
  const { store, kept } = memory();
  let now = noon;
  const first = await opened(content, store, () => now);
  const account = { name: 'Ann', email: 'ann@new.test', password: 'plum violin rocket' };
  t.is((await first.post('/signup', { ...account, persona: 'acme' })).status, 200);
  const rows = await first.text('/api/v1/findings?limit=100');
  t.true(JSON.parse(rows).totalItems > 20);
  t.regex(JSON.stringify([...kept]), /"pbkdf2\$600000\$/);
  t.notRegex(JSON.stringify([...kept]), /plum violin/);

  now += 5 * hour;
  const second = await opened(content, store, () => now);
  t.is(await second.text('/api/v1/findings?limit=100'), rows);
  t.is((await second.post('/logout', {})).status, 204);
  t.is((await second.post('/login', { email: account.email, password: 'wrong' })).status, 401);
  t.is((await second.post('/login', account)).status, 200);

  // After a day, all dates are moved on.
  now += 24 * hour;
  const third = await opened(content, store, () => now);
  const later = await third.json('/api/v1/findings?limit=100');
  const dates = (list: { items: Readonly<Record<string, unknown>>[] }) =>
    list.items.map(({ reconciledAt }) =>
      typeof reconciledAt === 'string' ? Date.parse(reconciledAt) : null,
    );
  const moved = dates(JSON.parse(rows)).map((date) => date && date + 29 * hour);
  t.deepEqual(dates({ items: later.items }), moved);
  t.true(moved.some((date) => date !== null));
  const again = await opened(content, store, () => now + hour);
  t.deepEqual(await again.json('/api/v1/findings?limit=100'), later);
});

test('a scenario goes on where it was, also with the steps that were due while no worker ran', async (t) => {
  const step = (at: string, status: string) => ({ at, patch: { findings: { fix_0001: { status } } } });
  const scenario = [step('1h', 'drafting'), step('2h', 'escalated'), step('3h', 'resolved')].map((each) => ({
    tenant: 'acme',
    ...each,
  }));
  const content = await contentOf(['acme', 'demo'], { scenario });
  const { store } = memory();
  let now = noon;
  const status = async () => {
    const demo = await opened(content, store, () => now);
    await demo.post('/login', logIn);
    return (await demo.json('/api/v1/findings/fix_0001')).status;
  };
  const seen: unknown[] = [];
  for (const wait of [0.5, 1, 1, 1]) {
    now += wait * hour;
    seen.push(await status());
  }
  t.deepEqual(seen, [JSON.parse(JSON.stringify(seen[0])), 'drafting', 'escalated', 'resolved']);
});

test('a reset empties everything, and a post of another site resets nothing', async (t) => {
  const content = await contentOf(['acme', 'demo']);
  const { store, kept } = memory();
  const demo = await opened(content, store);
  await demo.post('/login', logIn);
  t.true(kept.has('state'));
  const foreign = await demo.send('/__demo/reset', {
    method: 'POST',
    headers: { Origin: 'https://evil.test' },
  });
  t.is(foreign.status, 403);
  t.false(demo.isOver());
  t.is((await demo.send('/__demo/reset', { method: 'POST', redirect: 'manual' })).status, 303);
  t.true(demo.isOver());
  t.is(kept.size, 0);
  t.is((await (await opened(content, store)).send('/api/v1/repos')).status, 401);
});

test('a demo of another version, or with unreadable state, begins anew', async (t) => {
  const content = await contentOf(['acme', 'demo']);
  const { store, kept } = memory();
  await (await opened(content, store)).post('/login', logIn);
  const other = await opened({ ...content, version: '2' }, store);
  t.is((await other.send('/api/v1/repos')).status, 401);
  await other.post('/login', logIn);
  for (const [name, value] of [
    ['state', { version: '2' }],
    ['patched', [{ name: 'acme' }]],
    ['tenants', 1],
    ['account usr_acme', { userId: 'usr_other' }],
  ] as const) {
    await (await opened({ ...content, version: '2' }, store)).post('/login', logIn);
    kept.set(name, value);
    const demo = await opened({ ...content, version: '2' }, store);
    t.is((await demo.send('/api/v1/repos')).status, 401, name);
  }
});

test('what a browser has no space for lasts as long as the worker, and is kept once there is space', async (t) => {
  const { store, setFull } = memory();
  const content = await contentOf(['acme', 'demo']);
  const first = await opened(content, store);
  setFull(true);
  t.is((await first.post('/login', logIn)).status, 200);
  t.is((await first.post('/__admin/clock', { advance: '1h' }, 'PUT')).status, 200);
  t.is((await first.send('/api/v1/prs')).status, 200);
  const forgetful = await opened(content, store);
  t.is((await forgetful.send('/api/v1/prs')).status, 401);
  t.false((await forgetful.json('/__admin/clock')).simulated);
  setFull(false);
  // Nothing changes here: what was not kept before is kept now.
  t.is((await first.send('/api/v1/prs')).status, 200);
  const second = await opened(content, store);
  t.is((await second.send('/api/v1/prs')).status, 200);
  t.true((await second.json('/__admin/clock')).simulated);
});

test('a demo whose browser lets nothing be read works, can be reset, and writes over nothing', async (t) => {
  const { store } = memory();
  const content = await contentOf(['acme', 'demo']);
  t.is((await (await opened(content, store)).post('/login', logIn)).status, 200);
  const refuse = () => Promise.reject(new Error('not allowed'));
  const demo = await opened(content, { ...store, entries: refuse, clear: refuse });
  t.is((await demo.send('/api/v1/repos')).status, 401);
  t.is((await demo.post('/login', logIn)).status, 200);
  t.is((await demo.post('/__admin/clock', { advance: '1h' }, 'PUT')).status, 200);
  t.is((await demo.send('/api/v1/repos')).status, 200);
  const later = await opened(content, store);
  t.is((await later.send('/api/v1/repos')).status, 200);
  t.false((await later.json('/__admin/clock')).simulated);
  t.is((await demo.send('/__demo/reset', { method: 'POST', redirect: 'manual' })).status, 303);
  t.true(demo.isOver());
});

test('a form without any origin counts as one of another site', (t) => {
  const seen = {
    method: 'POST',
    url: 'https://a.test/x/login',
    headers: new Headers(),
    mode: 'navigate',
  } as const;
  t.deepEqual(hiddenHeaders({ ...seen, referrer: '' }), { origin: 'null' });
  t.deepEqual(hiddenHeaders({ ...seen, referrer: 'https://b.test/page' }), { origin: 'https://b.test' });
  t.deepEqual(hiddenHeaders({ ...seen, referrer: 'https://a.test/x/login' }), {
    origin: 'https://a.test',
    referer: 'https://a.test/x/login',
  });
  t.deepEqual(hiddenHeaders({ ...seen, method: 'GET', referrer: '' }), {});
  const headers = new Headers({ Origin: 'https://c.test' });
  t.deepEqual(hiddenHeaders({ ...seen, headers, referrer: '' }), { origin: 'https://c.test' });
});
