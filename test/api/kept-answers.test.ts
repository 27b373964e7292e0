import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import type { Storage } from '../../src/accounts/account-storage.js';
import { Identity, identitiesOf } from '../../src/api/call.js';
import { hashSecret } from '../../src/api/credentials.js';
import { endpoints } from '../../src/api/endpoint.js';
import { keptAnswers, roomForAnswers } from '../../src/api/kept-answers.js';
import type { ApiRequest, Notes } from '../../src/api/request.js';
import { operationRow, routeTable } from '../../src/api/routes.js';
import type { Clock } from '../../src/common/clock.js';
import { timestampAt } from '../../src/contract/codecs/timestamp.js';
import { newAccount, newApiToken, newSession } from '../../src/storage-kit/conformance/sample-tenants.js';
import { aDraft, aPullRequest, aRepo, aScan, aSession, at, aUser, dataset, now } from '../_data.js';
import { runs } from '../_runs.js';
import { aFixtureStorage, aStorage, changed } from '../_storage.js';

/** Answers requests over a storage, with so much room for answers. */
const answersOver = (storage: Storage, clock: Clock, bytes: number) => {
  const room = roomForAnswers(bytes);
  const served = endpoints({ log: () => {}, strict: false, answering: keptAnswers(room) });
  const identities = identitiesOf(storage, clock);
  const { find } = routeTable(served.map(operationRow));
  const get = async (target: string, headers: Readonly<Record<string, string>>) => {
    const [path = '', querystring = ''] = target.split('?');
    const match = find('GET', path);
    const endpoint = served.find(({ operation }) => operation === match?.row.operation);
    if (match === null || endpoint === undefined) throw new Error(`no operation has the path ${path}`);
    const notes: Notes = {};
    const request: ApiRequest = { id: '', method: 'GET', path, querystring, headers, target, notes };
    const identity = new Identity(request, endpoint.operation.accepts, identities);
    const call = { request, params: match.params, identity, context: { storage, clock } };
    const { status, body } = await endpoint.respondTo(call);
    return { status, body: body.json, tenant: notes.tenantId };
  };
  return { get, figures: room.figures };
};

/** A storage whose rows can be changed besides, and a clock. */
type World = Readonly<{
  storage: Storage;
  /** Changes what one finding, one pull request and one repository of a user show, into one of few states. */
  change: (user: string, state: number) => Promise<void>;
}>;

const users = ['ann', 'bob'] as const;
const secrets = ['first', 'second'] as const;
const paths = [
  '/api/v1/repos',
  '/api/v1/findings',
  '/api/v1/findings?limit=1&severity=high&unknown=1',
  '/api/v1/findings/same',
  '/api/v1/prs',
  '/api/v1/prs?status=closed',
];

type Step = Readonly<{
  what:
    | 'read'
    | 'change'
    | 'sign up'
    | 'delete'
    | 'log in'
    | 'log out'
    | 'mint'
    | 'revoke'
    | 'move the clock';
  user: (typeof users)[number];
  secret: (typeof secrets)[number];
  path: (typeof paths)[number];
  state: number;
}>;

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.oneof(
    { weight: 8, arbitrary: fc.constant('read' as const) },
    {
      weight: 6,
      arbitrary: fc.constantFrom(
        'change' as const,
        'sign up' as const,
        'delete' as const,
        'log in' as const,
        'log out' as const,
        'mint' as const,
        'revoke' as const,
        'move the clock' as const,
      ),
    },
  ),
  user: fc.constantFrom(...users),
  secret: fc.constantFrom(...secrets),
  path: fc.constantFrom(...paths),
  state: fc.nat(2),
});

/** How the clock moves: back, too, and to where the words for "a minute ago" change. */
const moves = [-45_000, 30_000, 3_600_000];

/**
 * Compares answers of which some are kept with those of which none is, whatever happens in between: rows that
 * change and change back, sessions and tokens that end and begin anew as another user's, users who are
 * deleted and sign up again under the same id, and a clock that moves back and forth. Returns how many kept
 * answers were used.
 */
const compareInterleavings = async (
  t: ExecutionContext,
  open: () => Promise<World>,
  numRuns: number,
): Promise<number> => {
  let hits = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 60 }), async (steps) => {
      const { storage, change } = await open();
      let moment = at(now);
      const clock = (): number => moment;
      const [kept, fresh] = [answersOver(storage, clock, 2 ** 20), answersOver(storage, clock, 0)];
      for (const user of users) await storage.signUp(await newAccount(user), null);
      for (const { what, user, secret, path, state } of steps) {
        const own = { createdAt: timestampAt(moment), expiresAt: timestampAt(moment + 10_000_000) };
        if (what === 'change') await change(user, state);
        else if (what === 'sign up') await storage.signUp(await newAccount(user), null);
        else if (what === 'delete') await storage.deleteAccount({ userId: user });
        else if (what === 'log in')
          await storage.startSession(
            newSession(user, secret, { id: `${user}-${secret}`, ...own }),
            hashSecret(secret),
          );
        else if (what === 'log out') await storage.endSession(hashSecret(secret));
        else if (what === 'mint')
          await storage.addApiToken(newApiToken(user, secret, { id: `${user}-${secret}` }));
        else if (what === 'revoke')
          await storage.revokeApiToken({ userId: user }, `${user}-${secret}`, own.createdAt);
        else if (what === 'move the clock') moment += moves[state] ?? 0;
        else {
          // The session of a sign-up has the id of the user as its value.
          const sessions = [user, secret];
          for (const headers of [
            ...sessions.map((session) => ({ cookie: `session=${session}` })),
            { authorization: `Bearer ${secret}` },
          ])
            t.deepEqual(await kept.get(path, headers), await fresh.get(path, headers), JSON.stringify(steps));
        }
      }
      for (const { hits: more } of kept.figures().lookUps.values()) hits += more;
    }),
    runs(numRuns),
  );
  return hits;
};

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

test('whatever happens between requests, a server that caches responses answers like one that does not', async (t) => {
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

test('a response whose rows have no version is not cached', async (t) => {
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
