import test from 'ava';
import { TriageApiError } from '../../src/testing/server.js';
import { started } from './_start.js';

test('a server serves sparse fixtures, and values that extend shipped ones', async (t) => {
  const { url, session, token, tenants } = await started(t, {
    fixtures: [
      { findings: [{ repo: 'acme/web', package: 'lodash', pullRequest: { prState: 'merged' } }] },
      { extends: 'acme', remove: ['repo_spike'], findings: [{ id: 'fix_0001', severity: 'low' }] },
    ],
  });
  const read = async (path: string, headers: Record<string, string>) =>
    Object(await (await fetch(`${url}/api/v1${path}`, { headers })).json());
  const findings = await read('/findings', { Cookie: `session=${session}` });
  t.like(findings.items, [{ package: 'lodash', status: 'resolved' }]);
  t.is(token, 'tenant-token');
  const extended = tenants[1]?.session ?? '';
  t.is(extended, 'tenant-2-session');
  const { items, totalItems } = await read('/findings?severity=low', { Cookie: `session=${extended}` });
  t.true(items.some(({ id }: { id: string }) => id === 'fix_0001'));
  t.true(totalItems >= 1);
});

test('setFixtures takes them, too', async (t) => {
  const api = await started(t, { fixtures: {} });
  await api.setFixtures({ extends: 'demo' });
  t.is(api.session, 'tenant-session');
});

test('problems are reported with their places', async (t) => {
  const error = await t.throwsAsync(
    started(t, { fixtures: { extends: 'acmee', findings: [{ severity: 'low' }] } }),
    { instanceOf: TriageApiError },
  );
  t.deepEqual(error?.problems, [
    'fixtures /extends: no shipped fixture is called "acmee"; did you mean "acme"?',
  ]);
});
