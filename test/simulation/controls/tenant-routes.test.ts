import test from 'ava';
import type { TriageApi, TriageApiOptions } from '../../../src/testing/server.js';
import { aDraft, aRepo, aScan, aSession, aUser, now } from '../../_data.js';
import { bearer, cookie } from '../../_server.js';
import { started } from '../../testing/_start.js';
import { control } from './_control.js';

const tenant = (id: string, drafts: number) => ({
  asOf: now,
  user: aUser(id),
  sessions: [aSession(id)],
  repos: [aRepo('web')],
  scans: [aScan('scan', 'web')],
  fixDrafts: Array.from({ length: drafts }, (_, index) => aDraft(`d${index}`, 'web')),
});

const fixtures: TriageApiOptions = { fixtures: Object([tenant('kim', 2), tenant('max', 3)]) };

type Made = Readonly<{
  id: string;
  from: string | null;
  user: Readonly<{ id: string; email: string; name: string }>;
  rows: number;
  createdAt: string;
  expiresAt: string;
  session: string;
  token: string;
  password: string;
}>;

const create = async (api: TriageApi, wanted: object = {}): Promise<Made> => {
  const [status, body] = await control(api, 'POST', '/tenants', wanted);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return Object(body);
};

const ids = async ({ url }: TriageApi, init: RequestInit): Promise<readonly string[] | number> => {
  const answer = await fetch(`${url}/api/v1/findings`, init);
  return answer.status === 200
    ? Object(await answer.json()).items.map(({ id }: Readonly<{ id: string }>) => id)
    : answer.status;
};

/** Of the operations, only those of pull requests take a token. */
const prStatus = async ({ url }: TriageApi, token: string): Promise<number> =>
  (await fetch(`${url}/api/v1/prs`, bearer(token))).status;

test('a tenant is a copy of a fixture with credentials of its own, which all work', async (t) => {
  const api = await started(t, fixtures);
  const made = await create(api, { from: 'max', ttl: '30m' });
  t.like(made, { from: 'max', user: { id: made.id, name: 'max' }, rows: 5 });
  t.is(Date.parse(made.expiresAt) - Date.parse(made.createdAt), 30 * 60 * 1000);
  const expected = await ids(api, cookie('max'));
  t.deepEqual(await ids(api, cookie(made.session)), expected);
  t.is(await prStatus(api, made.token), 200);
  const login = await fetch(`${api.url}/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: `email=${made.user.email}&password=${made.password}`,
    redirect: 'manual',
  });
  t.is(login.status, 303);
  const [, session = ''] = /session=([^;]+)/.exec(login.headers.get('set-cookie') ?? '') ?? [];
  t.deepEqual(await ids(api, cookie(session)), expected);
  t.is((await control(api, 'DELETE', `/tenants/${made.id}`))[0], 204);
  t.deepEqual(await Promise.all([session, made.session].map((value) => ids(api, cookie(value)))), [401, 401]);
  t.is(await prStatus(api, made.token), 401);
  t.deepEqual(await ids(api, cookie('max')), expected);
});

test('without a name, the first fixture is copied; a name may be that of a user', async (t) => {
  const api = await started(t, fixtures);
  t.is((await create(api)).from, 'kim');
  t.is((await create(await started(t))).from, 'demo');
  t.is((await create(await started(t), { from: 'usr_boundary' })).from, 'boundary');
});

test('data that is sent becomes a tenant, or is refused with all its problems', async (t) => {
  const api = await started(t, fixtures);
  const made = await create(api, { fixture: tenant('kim', 4) });
  t.is(made.from, null);
  t.not(made.user.id, 'kim');
  t.is(Object(await ids(api, cookie(made.session))).length, 4);
  const sparse = await create(api, { fixture: { findings: [{ repo: 'team/web', package: 'lodash' }] } });
  t.is(Object(await ids(api, cookie(sparse.session))).length, 1);
  const many = { fixture: { findings: Array.from({ length: 10_001 }, () => ({})) } };
  t.deepEqual(await control(api, 'POST', '/tenants', many), [
    400,
    { error: '/fixture: 10001 rows; data that is sent has at most 10000' },
  ]);
  const unfit = { fixture: { ...tenant('kim', 1), repos: [] } };
  const [status, body] = await control(api, 'POST', '/tenants', unfit);
  t.is(status, 400);
  t.regex(
    Object(body).error,
    /^\/fixture\/scans\/0\/repoId: no .*; \/fixture\/fixDrafts\/0\/repoId: no [^;]*$/,
  );
});

test('tenants are listed and shown without their secrets, and end once', async (t) => {
  const api = await started(t, fixtures);
  t.deepEqual(await control(api, 'GET', '/tenants'), [200, []]);
  const [first, second] = [await create(api), await create(api, { from: 'max' })];
  const shown = ({ session: _, token: __, password: ___, ...rest }: Made) => rest;
  t.deepEqual(await control(api, 'GET', '/tenants'), [200, [shown(first), shown(second)]]);
  t.deepEqual(await control(api, 'GET', `/tenants/${second.id}`), [200, shown(second)]);
  t.deepEqual(await control(api, 'DELETE', `/tenants/${first.id}`), [204, null]);
  for (const method of ['DELETE', 'GET'])
    t.is((await control(api, method, `/tenants/${first.id}`))[0], 404, method);
  t.deepEqual(await control(api, 'GET', '/tenants'), [200, [shown(second)]]);
  t.is((await control(api, 'DELETE', '/tenants/kim'))[0], 404);
  t.is(Object(await ids(api, cookie('kim'))).length, 2);
});

const logIn = async ({ url }: TriageApi, { user: { email }, password }: Made): Promise<string> => {
  const { headers } = await fetch(`${url}/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  return /session=([^;]+)/.exec(headers.get('set-cookie') ?? '')?.[1] ?? '';
};

test('a tenant may have a clock of its own, which its data, sessions and tokens follow', async (t) => {
  const api = await started(t, {
    fixtures: Object([{ ...tenant('kim', 2), scans: [aScan('scan', 'web')] }]),
  });
  const [mine, other] = [await create(api), await create(api)];
  const path = `/tenants/${mine.id}/clock`;
  const seen = async ({ session }: Readonly<{ session: string }>) => {
    const answer = await fetch(`${api.url}/api/v1/repos`, cookie(session));
    const [repo] = answer.status === 200 ? Object(await answer.json()) : [];
    return [answer.status, repo?.lastScanRelative, answer.headers.get('x-triage-simulated')];
  };
  const before = await seen(other);
  t.deepEqual(await control(api, 'GET', path), [200, { now, running: false, simulated: true }]);
  await control(api, 'PUT', path, { now: '2031-05-06T07:08:09Z' });
  t.deepEqual(await seen(mine), [200, '1 hour ago', 'clock'], 'data is dated anew');
  t.deepEqual(await seen(other), before);

  const session = await logIn(api, mine);
  const minted = await fetch(`${api.url}/settings/api-tokens`, {
    method: 'POST',
    headers: { ...cookie(session).headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'short', expiresInDays: 30 }),
  });
  const { token, expiresAt } = Object(await minted.json());
  t.regex(expiresAt, /^2031-06-05T07:08:09/);
  const current = await fetch(`${api.url}/session`, cookie(session));
  t.is(Object(await current.json()).expiresAt, '2031-05-13T07:08:09.000Z');
  t.is(await prStatus(api, token), 200);

  await control(api, 'PUT', path, { advance: '6d' });
  t.deepEqual(await seen(mine), [200, '6 days ago', 'clock'], 'data ages');
  await control(api, 'PUT', path, { advance: '2d' });
  t.is((await seen({ session }))[0], 401, 'a session expires');
  t.is((await seen(mine))[0], 401, 'and so does the one that it was made with');
  t.is(await prStatus(api, token), 200);
  await control(api, 'PUT', path, { advance: '30d' });
  t.is(await prStatus(api, token), 401, 'a token expires');
  t.deepEqual(await seen(other), before);
  t.is(api.clock.now(), now);

  t.is((await control(api, 'PUT', '/tenants/kim/clock', { advance: '1h' }))[0], 404, 'only those on demand');
  t.is((await control(api, 'PUT', path, { advance: 'soon' }))[0], 400);
});

test('the data of a tenant is dated for the moment at which it is made, and anew at a new start', async (t) => {
  const api = await started(t, fixtures);
  const since = async (session: string) =>
    Object(await (await fetch(`${api.url}/api/v1/repos`, cookie(session))).json())[0].lastScanRelative;
  await api.clock.advance('3h');
  const { session } = await create(api, { ttl: '7d' });
  t.deepEqual([await since('kim'), await since(session)], ['4 hours ago', '1 hour ago']);
  await api.clock.advance('1h');
  t.is(await since(session), '2 hours ago');
  await api.clock.set('2026-11-22T12:00:00Z');
  t.is(await since(session), '1 hour ago');
});

const merge = 'application/merge-patch+json';

test('a patch changes one tenant alone, for as long as there is such a tenant', async (t) => {
  const api = await started(t, fixtures);
  const [mine, theirs] = [await create(api), await create(api)];
  const patch = (id: string, body: unknown) => control(api, 'POST', `/tenants/${id}/patch`, body, merge);
  t.deepEqual(await patch(mine.id, { fixDrafts: { d0: null } }), [204, null]);
  t.deepEqual(await ids(api, cookie(mine.session)), ['d1']);
  for (const session of [theirs.session, 'kim']) t.is(Object(await ids(api, cookie(session))).length, 2);
  t.is(Object((await control(api, 'GET', `/tenants/${mine.id}`))[1]).rows, 3);
  t.deepEqual(await patch(mine.id, { user: { id: 'other' } }), [
    400,
    { error: '/user/id: the user of a tenant on demand keeps its id' },
  ]);
  t.deepEqual(await patch(mine.id, { user: { email: theirs.user.email } }), [
    400,
    { error: `/user/email: duplicate e-mail address; ${theirs.id} /user/email has it already` },
  ]);
  t.is((await patch('kim', { user: { email: mine.user.email } }))[0], 400);
  t.deepEqual(await patch(mine.id, { user: { name: 'Patched' } }), [204, null]);
  t.is(Object((await control(api, 'GET', `/tenants/${mine.id}`))[1]).user.name, 'Patched');
  t.is((await control(api, 'DELETE', `/tenants/${mine.id}`))[0], 204);
  t.is((await patch(mine.id, { user: { name: 'Patched' } }))[0], 404);
  t.is(await ids(api, cookie(mine.session)), 401);
});

test('a tenant is a copy of the files, whatever was patched; a reset of another one and other fixtures leave it alone', async (t) => {
  const api = await started(t, fixtures);
  await api.patch('fixDrafts', 'd0', { status: 'resolved' });
  const { session, id } = await create(api);
  const status = async () =>
    Object(await (await fetch(`${api.url}/api/v1/findings/d0`, cookie(session))).json()).status;
  t.is(await status(), 'pending');
  await control(api, 'POST', `/tenants/${id}/patch`, { fixDrafts: { d0: { status: 'escalated' } } }, merge);
  t.is((await control(api, 'POST', '/reset?tenant=kim'))[0], 200);
  t.is(await status(), 'escalated');
  await api.setFixtures(Object([tenant('eve', 1)]));
  t.is(await status(), 'escalated');
  t.is(await ids(api, cookie('kim')), 401);
  t.is((await create(api)).from, 'eve');
});
