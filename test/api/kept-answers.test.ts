import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type { Storage } from '../../src/accounts/account-storage.js';
import { newAccount } from '../../src/storage-kit/conformance/sample-tenants.js';
import { aDraft, aPullRequest, aRepo, aScan, aSession, at, aUser, dataset, now } from '../_data.js';
import { aFixtureStorage, aStorage, changed } from '../_storage.js';
import { answersOver, compareInterleavings } from './_interleavings.js';

const cookie = (session: string) => ({ cookie: `session=${session}` });

const tenant = (id: string, name = id, sessions = [aSession(id)]) =>
  dataset({
    user: aUser(id),
    sessions,
    repos: [aRepo('r', { owner: name })],
    scans: [aScan('s', 'r', { startedAt: '2026-11-20T11:59:30.000Z', finishedAt: now })],
    fixDrafts: [aDraft('same', 'r', { package: name })],
    pullRequests: [aPullRequest('p', 'same', { branch: name })],
  });

test('whatever happens in between, an answer is that of a server that keeps none', async (t) => {
  const hits = await compareInterleavings(
    t,
    async () => {
      const storage = aStorage([]);
      const change = async (user: string, state: number) => {
        const account = await newAccount(user);
        const fixDrafts = account.rows.fixDrafts.map((row) => ({ ...row, package: `${user} ${state}` }));
        await storage.deleteAccount({ userId: user });
        await storage.signUp({ ...account, rows: { ...account.rows, fixDrafts } }, null);
      };
      return { storage, change };
    },
    100,
  );
  t.true(hits > 100, `${hits} kept answers were used`);
});

test('a tenant whose rows change and change back, or which is removed and made anew, never gets an old answer', async (t) => {
  const { storage, put, remove } = aFixtureStorage([]);
  const [kept, fresh] = [
    answersOver(storage, () => at(now), 2 ** 20),
    answersOver(storage, () => at(now), 0),
  ];
  for (const name of ['a', 'b', 'a', null, 'a', 'c']) {
    if (name === null) await remove('tenant');
    else put(tenant('tenant', name));
    for (const path of ['/api/v1/repos', '/api/v1/findings', '/api/v1/findings/same', '/api/v1/prs'])
      for (let i = 0; i < 2; i += 1)
        t.deepEqual(
          await kept.get(path, cookie('tenant')),
          await fresh.get(path, cookie('tenant')),
          `${name}`,
        );
  }
  t.is(kept.figures().lookUps.get('listFindings')?.hits, 5);
});

test("a kept answer's relative times are right, whichever way the clock moves", async (t) => {
  let moment = at(now);
  const { get, figures } = answersOver(aStorage([tenant('a')]), () => moment, 2 ** 20);
  const words = async () => JSON.parse((await get('/api/v1/repos', cookie('a'))).body)[0].lastScanRelative;
  for (const [seconds, expected] of [
    [0, 'just now'],
    [29, 'just now'],
    [30, '1 minute ago'],
    [89, '1 minute ago'],
    [90, '2 minutes ago'],
    [30, '1 minute ago'],
    [-10, 'just now'],
  ] as const) {
    moment = at(now) + seconds * 1000;
    t.is(await words(), expected, `after ${seconds} s`);
    t.is(await words(), expected, `after ${seconds} s, kept`);
  }
  t.deepEqual(figures().lookUps.get('listConnectedRepos'), { hits: 9, misses: 5 });
});

test('a kept answer whose relative times expire during the read is not sent', async (t) => {
  let moment = at(now);
  let isSlow = false;
  const right = aStorage([tenant('a')]);
  const slow: Storage = {
    ...right,
    repos: async (...read) => {
      const found = await right.repos(...read);
      if (isSlow) moment += 60_000;
      return found;
    },
  };
  const { get } = answersOver(slow, () => moment, 2 ** 20);
  t.regex((await get('/api/v1/repos', cookie('a'))).body, /just now/);
  isSlow = true;
  t.regex((await get('/api/v1/repos', cookie('a'))).body, /2 minutes ago/);
});

test('unknown parameters do not make a second kept answer', async (t) => {
  const { get, figures } = answersOver(aStorage([tenant('a')]), () => at(now), 2 ** 20);
  for (const query of ['', '?x=1', '?page=1', '?page=01&limit=25&y=2', '?limit=025'])
    t.is((await get(`/api/v1/findings${query}`, cookie('a'))).status, 200);
  t.deepEqual(figures().lookUps.get('listFindings'), { hits: 4, misses: 1 });
});

test('rows without a version are not kept', async (t) => {
  const right = aStorage([tenant('a')]);
  const { get, figures } = answersOver(
    { ...right, findings: (...read) => changed(right.findings(...read), (rows) => rows) },
    () => at(now),
    2 ** 20,
  );
  for (let i = 0; i < 3; i += 1) await get('/api/v1/findings', cookie('a'));
  t.deepEqual(figures(), {
    lookUps: new Map([
      ['listConnectedRepos', { hits: 0, misses: 0 }],
      ['listFindings', { hits: 0, misses: 3 }],
      ['getFinding', { hits: 0, misses: 0 }],
      ['listPrs', { hits: 0, misses: 0 }],
    ]),
    bytes: 0,
  });
});

test('a storage that says "unchanged" to a read without a version gets a 500', async (t) => {
  const unchanged = { caller: { userId: 'a' }, unchanged: true } as const;
  const wrong: Storage = { ...aStorage([tenant('a')]), prs: async () => E.right(unchanged) };
  const { status, body } = await answersOver(wrong, () => at(now), 2 ** 20).get('/api/v1/prs', cookie('a'));
  t.deepEqual([status, body], [500, '{"error":"Internal server error"}']);
});

test('an answer that was kept for one user is not sent to another one with the same session value', async (t) => {
  const { storage, put } = aFixtureStorage([]);
  const { get } = answersOver(storage, () => at(now), 2 ** 20);
  put(tenant('a', 'of-a', [aSession('shared')]));
  t.regex((await get('/api/v1/findings', cookie('shared'))).body, /of-a/);
  put(tenant('a', 'of-a', []));
  put(tenant('b', 'of-b', [aSession('shared')]));
  const answered = await get('/api/v1/findings', cookie('shared'));
  t.regex(answered.body, /of-b/);
  t.is(answered.tenant, 'b');
});
