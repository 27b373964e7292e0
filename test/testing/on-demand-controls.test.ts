import test from 'ava';
import { type FixtureData, TriageApiError } from '../../src/testing/server.js';
import { now } from '../_data.js';
import { problemsOf, started } from './_start.js';

const fixtures: FixtureData = {
  asOf: now,
  user: { id: 'kim', email: 'kim@team.test', name: 'Kim', password: 'secret' },
  repos: [{ id: 'web', owner: 'team', repo: 'web' }],
};

test('a tenant is made, found, changed and removed, with a clock of its own', async (t) => {
  const api = await started(t, { fixtures });
  const [one, other] = [await api.createTenant({ from: 'kim' }), await api.createTenant()];
  const { name } = one;
  t.deepEqual([name, one.expiresAt, api.tenants.length], [one.user.id, null, 1]);
  t.is(api.tenant(name).session, one.session);
  const repos = async () => {
    const answer = await api.fetch('/api/v1/repos', { tenant: name });
    return Object(await answer.json()).length;
  };
  t.is(await repos(), 1);
  await api.insert('repos', { owner: 'team', repo: 'api' }, name);
  t.is(await repos(), 2);
  t.is(Object(await (await api.fetch('/api/v1/repos')).json()).length, 1);

  await one.clock.set('2030-01-01T00:00:00Z');
  await one.clock.advance('1h');
  t.deepEqual([one.clock.now(), other.clock.now(), api.clock.now()], ['2030-01-01T01:00:00.000Z', now, now]);
  await api.clock.advance('1m');
  t.is(one.clock.now(), '2030-01-01T01:00:00.000Z');
  await one.clock.release();
  t.is(one.clock.now(), api.clock.now());
  await t.throwsAsync(one.clock.advance('soon'), { message: /clock\.advance: expected a duration/ });

  t.true(await api.removeTenant(name));
  t.false(await api.removeTenant(name));
  t.throws(() => api.tenant(name), { instanceOf: TriageApiError });
  t.regex((await problemsOf(api.patch('repos', 'web', {}, name)))[0] ?? '', /tenant: expected one of kim/);
  await t.throwsAsync(one.clock.advance('1h'), { message: /clock: the tenant usr_\S+ has ended/ });
});

test('a tenant on demand with invalid fields is refused with each problem', async (t) => {
  const api = await started(t, { fixtures });
  t.deepEqual(await problemsOf(api.createTenant(Object({ from: 1, ttl: '0s', ids: 'x' }))), [
    'createTenant /from: expected string, got 1',
    'createTenant /ids: expected one of same, fresh, got "x"',
    'createTenant /ttl: expected a duration of more than zero and at most 7d, such as 30m, 1h or PT2H, got "0s"',
  ]);
  t.deepEqual(await problemsOf(started(t, { fixtures, maxTenants: 0 })), [
    'options /maxTenants: expected integer from 1 to 1000000, got 0',
  ]);
});
