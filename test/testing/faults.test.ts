import test from 'ava';
import { TriageApiError } from '../../src/testing/server.js';
import { started } from './_start.js';

test('a test makes requests fail, and asserts what was asked for', async (t) => {
  const { url, session, faults, requests } = await started(t);
  const list = async () =>
    (await fetch(`${url}/api/v1/repos`, { headers: { Cookie: `session=${session}` } })).status;
  const { id } = faults.add({ operation: 'listConnectedRepos', code: 500, times: 1 });
  t.deepEqual([await list(), await list()], [500, 200]);
  t.like(faults.list()[0], { id, matched: 1, applied: 1 });
  t.deepEqual(
    requests({ operation: 'listConnectedRepos' }).map(({ status, simulated }) => [status, simulated]),
    [
      [500, `code=500 (${id})`],
      [200, null],
    ],
  );
  t.is(requests({ status: '500' }).length, 1);
  t.true(faults.remove(id));
  faults.add({ code: 503 });
  faults.clear();
  t.is(await list(), 200);
});

test('a wrong rule, filter or rate is a problem that is named', async (t) => {
  const { faults, requests } = await started(t);
  t.deepEqual(
    t.throws(() => faults.add({ operation: 'listPrs', delay: 1, body: 'x' }), { instanceOf: TriageApiError })
      ?.problems,
    ['faults.add: body needs a code'],
  );
  t.throws(() => requests({ status: 'many' }), { message: /requests \/status: expected a status/ });
  await t.throwsAsync(started(t, { rateLimit: 'often' }), {
    message: /options \/rateLimit: expected a rate such/,
  });
});

test('servers have rules, chance and a limit of their own', async (t) => {
  const [failing, fine] = [await started(t, { seed: 7 }), await started(t, { rateLimit: '1/h' })];
  failing.faults.add({ code: 503, probability: 0.5 });
  const list = async ({ url, session }: Readonly<{ url: string; session: string }>) =>
    (await fetch(`${url}/api/v1/repos`, { headers: { Cookie: `session=${session}` } })).status;
  const statuses = [];
  for (let i = 0; i < 20; i += 1) statuses.push(await list(failing));
  t.deepEqual([...new Set(statuses)].sort(), [200, 503]);
  t.deepEqual([await list(fine), await list(fine)], [200, 429]);
});
