import test from 'ava';
import type { TriageApi, TriageApiOptions } from '../../../src/test-server/index.js';
import { aDraft, aRepo, aSession, aToken, aUser, now } from '../../_data.js';
import { cookie } from '../../_server.js';
import { started } from '../../test-server/_start.js';
import { control } from './_control.js';

const fixtures = Object({
  asOf: now,
  user: aUser('kim'),
  sessions: [aSession('old', { expiresAt: now }), aSession('kim')],
  apiTokens: [aToken('revoked', { revokedAt: now }), aToken('kim-token')],
  repos: [aRepo('web')],
  fixDrafts: [aDraft('d0', 'web'), aDraft('d1', 'web')],
});

const providerStates: TriageApiOptions['providerStates'] = {
  'a finding with a status': {
    params: { id: 'd0', status: 'resolved' },
    tenant: 'kim',
    patch: { fixDrafts: { '{{id}}': { status: '{{status}}' } } },
    values: { findingId: '{{id}}', cookie: 'session={{session}}' },
  },
  'a tenant of its own': {
    tenant: { from: 'kim', ttl: '1h' },
    patch: [{ op: 'remove', path: '/fixDrafts/1' }],
    faults: [{ operation: 'listPrs', code: 503, tenant: '{{userId}}' }],
  },
  'two hours later': { clock: { advance: '2h' } },
  'the data of the files': { reset: true },
};

const call = (api: TriageApi, body: unknown) => control(api, 'POST', '/pact/provider-states', body);
const setUp = async (api: TriageApi, state: string, params: object = {}): Promise<Record<string, string>> => {
  const [status, body] = await call(api, { state, params, action: 'setup' });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return Object(body);
};
const tearDown = (api: TriageApi, state: string) => call(api, { state, params: {}, action: 'teardown' });

const statuses = async ({ url }: TriageApi, session = 'kim') => {
  const answer = await fetch(`${url}/api/v1/findings`, cookie(session));
  return answer.status === 200
    ? Object(await answer.json()).items.map(({ status }: Record<string, string>) => status)
    : answer.status;
};

test('a state patches a tenant by its parameters, answers with values, and is undone', async (t) => {
  const api = await started(t, { fixtures, providerStates });
  t.deepEqual(await setUp(api, 'a finding with a status', { status: 'escalated', other: 1 }), {
    userId: 'kim',
    email: 'kim@test.test',
    name: 'kim',
    password: null,
    session: 'kim',
    token: 'kim-token',
    findingId: 'd0',
    cookie: 'session=kim',
  });
  t.deepEqual(await statuses(api), ['escalated', 'pending']);
  t.deepEqual(await tearDown(api, 'a finding with a status'), [200, {}]);
  t.deepEqual(await statuses(api), ['pending', 'pending']);
  t.deepEqual(await tearDown(api, 'a finding with a status'), [200, {}]);
});

test('a state makes a tenant, which its faults may be about; a teardown removes both', async (t) => {
  const api = await started(t, { fixtures, providerStates });
  const { session = '', userId } = await setUp(api, 'a tenant of its own');
  t.deepEqual(await statuses(api, session), ['pending']);
  const prs = async (value: string) => (await fetch(`${api.url}/api/v1/prs`, cookie(value))).status;
  t.deepEqual([await prs(session), await prs('kim')], [503, 200]);
  t.deepEqual(
    api.faults.list().map(({ tenant }) => tenant),
    [userId],
  );
  await tearDown(api, 'a tenant of its own');
  t.is(await statuses(api, session), 401);
  t.deepEqual(api.faults.list(), []);
  t.deepEqual(await control(api, 'GET', '/tenants'), [200, []]);
});

test('a state moves the clock, and gives it back', async (t) => {
  const api = await started(t, { fixtures, providerStates });
  await setUp(api, 'two hours later');
  t.is(api.clock.now(), '2026-11-20T14:00:00.000Z');
  await tearDown(api, 'two hours later');
  t.is(api.clock.now(), now);
  await api.clock.release();
  await setUp(api, 'two hours later');
  await tearDown(api, 'two hours later');
  t.like((await control(api, 'GET', '/clock'))[1], { running: true, simulated: false });
});

test('a state goes back to the files first', async (t) => {
  const api = await started(t, { fixtures, providerStates });
  await api.patch('fixDrafts', 'd0', { status: 'resolved' });
  t.deepEqual(await setUp(api, 'the data of the files'), {});
  t.deepEqual(await statuses(api), ['pending', 'pending']);
});

test('without teardowns, the first state after a request undoes what was done to everybody', async (t) => {
  const api = await started(t, { fixtures, providerStates });
  const first = await setUp(api, 'a tenant of its own');
  await setUp(api, 'the service is unavailable');
  await setUp(api, 'a finding with a status');
  t.is(await statuses(api), 503);
  t.is(api.faults.list().length, 2);
  await setUp(api, '');
  t.deepEqual(api.faults.list(), []);
  t.deepEqual(await statuses(api), ['pending', 'pending']);
  t.deepEqual(await statuses(api, first.session), ['pending']);
});

test('the states that are shipped do what they say', async (t) => {
  const api = await started(t, { fixtures });
  const count = async (state: string) => {
    const { session = '' } = await setUp(api, state);
    const of = async (path: string) => {
      const body = Object(await (await fetch(`${api.url}/api/v1${path}`, cookie(session))).json());
      return body.totalItems ?? body.length;
    };
    return [await of('/repos'), await of('/findings')];
  };
  t.deepEqual(await count('a tenant with findings'), [1, 2]);
  t.deepEqual(await count('a tenant with no findings'), [1, 0]);
  t.deepEqual(await count('a tenant with no pull requests'), [1, 2]);
  t.deepEqual(await count('a tenant with no repositories'), [0, 0]);
  const { session = '', findingId } = await setUp(api, 'a finding exists', { id: 'fix_42' });
  t.is(findingId, 'fix_42');
  t.is((await fetch(`${api.url}/api/v1/findings/fix_42`, cookie(session))).status, 200);
  for (const [state, status] of [
    ['the session has expired', 401],
    ['the rate limit is exceeded', 429],
    ['the service is failing', 500],
    ['the service is unavailable', 503],
  ] as const) {
    await setUp(api, state);
    t.is(await statuses(api), status);
    await tearDown(api, state);
  }
  t.deepEqual(await statuses(api), ['pending', 'pending']);
});

test('the form that verifiers in Ruby send is understood, and so is what may be added to it', async (t) => {
  const api = await started(t, { fixtures, providerStates });
  const state = 'a finding with a status';
  const [status] = await call(api, { consumer: 'front end', state, states: [state], more: 1 });
  t.is(status, 200);
  t.deepEqual(await statuses(api), ['resolved', 'pending']);
  t.deepEqual(await call(api, { consumer: 'front end', state: null, states: [] }), [200, {}]);
});

test('an unknown state, and one whose parameters are wrong, change nothing', async (t) => {
  const api = await started(t, { fixtures, providerStates: { ...providerStates } });
  const [status, body] = await call(api, { states: ['a finding with a status', 'nope'] });
  t.is(status, 404);
  t.regex(
    Object(body).error,
    /^There is no provider state "nope"; state: expected one of "a tenant with findings", .*, "the data of the files"$/,
  );
  t.deepEqual(
    await call(api, { state: 'a finding with a status', params: { status: 'x'.repeat(5), id: 'd9' } }),
    await call(api, { state: 'a finding with a status', params: { status: 'xxxxx', id: 'd9' } }),
  );
  const [refused] = await call(api, { state: 'a finding with a status', params: { id: 'd9' } });
  t.is(refused, 400);
  for (const wrong of [{ state: 1 }, { state: 'x', params: [] }, { state: '', action: 'x' }, []])
    t.is((await call(api, wrong))[0], 400, JSON.stringify(wrong));
  t.deepEqual(await statuses(api), ['pending', 'pending']);
  t.deepEqual(await control(api, 'GET', '/tenants'), [200, []]);
});
