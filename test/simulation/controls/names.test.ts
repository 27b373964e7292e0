import test from 'ava';
import { started } from '../../testing/_start.js';
import { control } from './_control.js';

const merge = 'application/merge-patch+json';

const onDemand = 'There is no such tenant on demand';

const signUp = async (url: string, email: string): Promise<string> => {
  const answer = await fetch(`${url}/signup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Pat', email, password: 'correct horse battery' }),
  });
  return Object(await answer.json()).user.id;
};

test('rules, the journal, clocks and patches take a tenant by its name, user id and e-mail address', async (t) => {
  const api = await started(t);
  const [, made] = await control(api, 'POST', '/tenants', { from: 'platform@large.test' });
  const { id, user, from } = Object(made);
  t.is(from, 'large');
  const pat = await signUp(api.url, 'pat@new.test');
  const people = [
    ['usr_acme', ['acme', 'usr_acme', 'DANA@acme.test']],
    [id, [id, user.email]],
    [pat, [pat, 'pat@new.test']],
  ] as const;
  await api.fetch('/api/v1/repos', { tenant: 'acme' });
  await api.fetch('/api/v1/repos', { tenant: id });
  for (const [userId, names] of people) {
    for (const name of names) {
      const [status, rule] = await control(api, 'POST', '/faults', { tenant: name, code: 503 });
      t.deepEqual([status, Object(rule).tenant], [201, userId], name);
      const [, entries] = await control(api, 'GET', `/requests?tenant=${encodeURIComponent(name)}`);
      t.deepEqual(
        Object(entries).map(({ tenant }: Readonly<{ tenant: string }>) => tenant),
        [userId],
        name,
      );
      if (userId === pat) continue;
      const path = `/tenants/${encodeURIComponent(name)}`;
      t.is((await control(api, 'POST', `${path}/patch`, {}, merge))[0], 204, name);
      if (userId !== id) continue;
      t.is((await control(api, 'PUT', `${path}/clock`, { advance: '1h' }))[0], 200, name);
      t.is(Object((await control(api, 'GET', path))[1]).id, id, name);
    }
  }
  t.is((await api.fetch('/api/v1/repos', { tenant: 'acme' })).status, 503);
  t.is((await api.fetch('/api/v1/repos', { tenant: 'demo' })).status, 200);
  t.is((await control(api, 'DELETE', `/tenants/${user.email}`))[0], 204);
  t.is((await control(api, 'GET', `/tenants/${id}`))[0], 404);
});

test('an unknown tenant is refused with the names that are known, and the nearest one', async (t) => {
  const api = await started(t);
  const known = 'expected one of acme, boundary, demo, empty, large, got "acmee"; did you mean "acme"?';
  for (const [method, path, body, status, error] of [
    ['POST', '/faults', { tenant: 'acmee', code: 503 }, 400, `tenant: ${known}`],
    ['GET', '/requests?tenant=acmee', undefined, 400, `/tenant: ${known}`],
    ['POST', '/tenants/acmee/patch', {}, 404, `There is no such tenant of a fixture or on demand: ${known}`],
    ['POST', '/tenants', { from: 'acmee' }, 404, `There is no such fixture: ${known}`],
    ['GET', '/tenants/acmee/clock', undefined, 404, `${onDemand}: there is none, so "acmee" is unknown`],
  ] as const) {
    const type = path.endsWith('/patch') ? merge : undefined;
    t.deepEqual(await control(api, method, path, body, type), [status, { error }], path);
  }
  t.deepEqual(await control(api, 'GET', '/faults'), [200, []]);
  const [, made] = await control(api, 'POST', '/tenants', {});
  const { id } = Object(made);
  for (const [method, path, known] of [
    ['PUT', `/tenants/${id}x/clock`, `expected one of ${id}, got "${id}x"; did you mean "${id}"?`],
    ['DELETE', '/tenants/acme', `expected one of ${id}, got "acme"`],
  ] as const)
    t.deepEqual(await control(api, method, path, { running: true }), [
      404,
      { error: `${onDemand}: ${known}` },
    ]);
});
