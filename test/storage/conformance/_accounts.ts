import assert from 'node:assert/strict';
import * as E from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { hashSecret } from '../../../src/accounts/hash-secret.js';
import { timestampAt } from '../../../src/codecs/timestamp.js';
import type { ApiTokenRecord } from '../../../src/records/api-token.js';
import type { SessionRecord } from '../../../src/records/session.js';
import { maxActiveApiTokens, maxApiTokens, maxSessions } from '../../../src/storage/limits.js';
import type { NewAccount, PresentedCredentials, Storage } from '../../../src/storage/port.js';
import { aDraft, aPullRequest, aRepo, aScan, at, aUser, dataset, now } from '../../_data.js';
import { bySession, byToken, cheaply } from '../../_storage.js';
import { type ConformanceCase, holding, type OpenStorage } from './_case.js';
import { doors } from './_worlds.js';

const right = async <A>(task: TaskEither<unknown, A>): Promise<A> => {
  const result = await task();
  if (E.isLeft(result)) assert.fail(JSON.stringify(result.left));
  return result.right;
};

/** The moment so many milliseconds after `now`. */
const after = (milliseconds: number) => timestampAt(at(now) + milliseconds);

const everything = { repoId: undefined, status: undefined, offset: 0, limit: 100 };

const session = (userId: string, value: string, over: Partial<SessionRecord> = {}): SessionRecord => ({
  id: `ses-${value}`,
  userId,
  hash: hashSecret(value),
  createdAt: after(0),
  expiresAt: after(1000),
  ...over,
});

const apiToken = (userId: string, token: string, over: Partial<ApiTokenRecord> = {}): ApiTokenRecord => ({
  id: `tok-${token}`,
  userId,
  name: token,
  prefix: token.slice(0, 2),
  hash: hashSecret(token),
  createdAt: after(0),
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
  ...over,
});

const { repos, scans, fixDrafts, pullRequests } = dataset({
  user: aUser('template'),
  repos: [aRepo('same', { owner: 'new' })],
  scans: [aScan('same', 'same')],
  fixDrafts: [aDraft('same', 'same')],
  pullRequests: [aPullRequest('same', 'same')],
});

const account = async (id: string, email = `${id}@new.test`): Promise<NewAccount> => ({
  user: { id, email, name: id, passwordHash: await cheaply(id) },
  session: session(id, id),
  rows: { repos, scans, fixDrafts, pullRequests },
  asOf: after(0),
});

/** Who asks with both. */
const both = (value: string, token: string): PresentedCredentials => ({
  ...bySession(value),
  apiToken: hashSecret(token),
});

const whoAsks = async (storage: Storage, credentials: PresentedCredentials): Promise<string> => {
  const caller = await storage.caller(credentials)();
  const repos = await storage.repos(credentials)();
  assert.equal(E.isRight(repos), E.isRight(caller), 'reads let in whom `caller` does');
  if (E.isRight(caller)) return caller.right.userId;
  assert.deepEqual(caller.left, { _tag: 'Unauthorized' });
  assert.deepEqual(repos, caller);
  return 'nobody';
};

/** Waits for what nobody has to wait for, within reason. */
const eventually = async <A>(look: () => Promise<A>, expected: A): Promise<void> => {
  for (let i = 0; i < 100; i += 1) {
    if ((await look()) === expected) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.deepEqual(await look(), expected);
};

/** Who is asking, and what the web flows change. */
export const accountCases = (open: OpenStorage): readonly ConformanceCase[] => [
  {
    name: 'credentials hold to the millisecond, and a valid token decides',
    run: holding(open, doors, async (storage) => {
      for (const [credentials, expected] of [
        [bySession('good'), 'ann'],
        [bySession('ends-now'), 'nobody'],
        [bySession('ends-next'), 'ann'],
        [bySession('holds'), 'nobody'],
        [bySession('unknown'), 'nobody'],
        [byToken('holds'), 'ann'],
        [byToken('good'), 'nobody'],
        [byToken('expires-now'), 'nobody'],
        [byToken('expires-next'), 'ann'],
        [byToken('revoked-now'), 'nobody'],
        [byToken('revoked-next'), 'ann'],
        [both('good', 'bobs-token'), 'bob'],
        [both('good', 'revoked-now'), 'ann'],
        [both('good', 'unknown'), 'ann'],
        [both('ends-now', 'bobs-token'), 'bob'],
        [both('ends-now', 'expires-now'), 'nobody'],
      ] as const) {
        assert.equal(await whoAsks(storage, credentials), expected, JSON.stringify(credentials));
      }
    }),
  },
  {
    name: 'every read is of the credentials alone, and refuses who is nobody',
    run: holding(open, doors, async (storage) => {
      const owners = async (credentials: PresentedCredentials) =>
        (await right(storage.repos(credentials))).map(({ repo }) => repo.owner);
      assert.deepEqual(await owners(bySession('good')), ['acme']);
      assert.deepEqual(await owners(bySession('bobs')), ['acme', 'bob']);
      assert.equal((await right(storage.finding(bySession('bobs'), 'same')))?.draft.package, 'of-bob');
      assert.equal((await right(storage.finding(bySession('good'), 'same')))?.draft.package, 'lodash');
      assert.equal(await right(storage.finding(bySession('good'), 'bobs')), null);
      assert.equal((await right(storage.prs(bySession('good'), everything))).total, 1);
      assert.equal((await right(storage.findings(bySession('bobs'), everything))).total, 2);
      assert.deepEqual(await right(storage.findings(bySession('good'), { ...everything, repoId: 'bobs' })), {
        rows: [],
        total: 0,
      });
      for (const read of [
        storage.repos(bySession('unknown')),
        storage.findings(bySession('unknown'), everything),
        storage.finding(bySession('unknown'), 'same'),
        storage.prs(bySession('unknown'), everything),
      ]) {
        assert.deepEqual(await read(), E.left({ _tag: 'Unauthorized' }));
      }
    }),
  },
  {
    name: 'rows come as frozen objects',
    run: holding(open, doors, async (storage) => {
      const credentials = bySession('good');
      for (const rows of [
        await right(storage.repos(credentials)),
        (await right(storage.findings(credentials, everything))).rows,
        (await right(storage.prs(credentials, everything))).rows,
        [Object(await right(storage.finding(credentials, 'same')))],
      ]) {
        assert.ok(rows.length > 0 && rows.every(Object.isFrozen));
      }
    }),
  },
  {
    name: 'a user is found by the address in any letter case, with the hash of the password',
    run: holding(open, doors, async (storage) => {
      const user = await right(storage.userByEmail('ANN@Test.TEST'));
      assert.deepEqual([user?.id, user?.email, user?.name], ['ann', 'ann@test.test', 'ann']);
      assert.match(user?.passwordHash ?? '', /^scrypt\$/);
      for (const unknown of ['x@test.test', '', '\u0000', '%', 'ann']) {
        assert.equal(await right(storage.userByEmail(unknown)), null);
      }
      assert.deepEqual(await right(storage.user({ userId: 'bob' })), {
        id: 'bob',
        email: 'bob@test.test',
        name: 'bob',
      });
      assert.equal(await right(storage.user({ userId: 'unknown' })), null);
    }),
  },
  {
    name: 'a sign-up makes a tenant with a session and rows, and ends another session',
    run: holding(open, doors, async (storage) => {
      await right(storage.signUp(await account('new', 'Émile@new.test'), hashSecret('good')));
      assert.equal(await whoAsks(storage, bySession('new')), 'new');
      assert.equal(await whoAsks(storage, bySession('good')), 'nobody');
      assert.equal((await right(storage.userByEmail('e\u0301MILE@NEW.test')))?.id, 'new');
      const [only] = await right(storage.repos(bySession('new')));
      assert.deepEqual(
        [only?.repo, only?.lastScan?.id, only?.openPrCount, only?.openFixDraftId, only?.openAdvisoryCount],
        [repos[0], 'same', 1, 'same', 1],
      );
      assert.deepEqual((await right(storage.findings(bySession('new'), everything))).rows, fixDrafts);
      assert.equal((await right(storage.finding(bySession('new'), 'same')))?.prCount, 1);
      assert.deepEqual(await right(storage.apiTokens({ userId: 'new' })), []);
    }),
  },
  {
    name: 'an address that is taken is refused, and nothing has happened',
    run: holding(open, doors, async (storage) => {
      await right(storage.signUp(await account('new'), null));
      for (const email of ['new@new.test', 'NEW@NEW.TEST', 'Ann@test.test']) {
        const taken = storage.signUp(await account('late', email), hashSecret('good'));
        assert.deepEqual(await taken(), E.left({ _tag: 'EmailTaken' }), email);
      }
      assert.equal(await right(storage.user({ userId: 'late' })), null);
      assert.equal(await whoAsks(storage, bySession('late')), 'nobody');
      assert.equal(await whoAsks(storage, bySession('good')), 'ann');
    }),
  },
  {
    name: 'of many sign-ups with one address at once, one succeeds',
    run: holding(open, [], async (storage) => {
      const accounts = await Promise.all(
        Array.from({ length: 12 }, (_, i) => account(`u${i}`, 'same@new.test')),
      );
      const results = await Promise.all(accounts.map((each) => storage.signUp(each, null)()));
      assert.equal(results.filter(E.isRight).length, 1);
      for (const result of results.filter(E.isLeft)) assert.deepEqual(result.left, { _tag: 'EmailTaken' });
    }),
  },
  {
    name: 'a login exchanges one session for another; one that is ended is over at once',
    run: holding(open, doors, async (storage) => {
      await right(storage.startSession(session('ann', 'next'), hashSecret('good')));
      assert.equal(await whoAsks(storage, bySession('good')), 'nobody');
      assert.equal(await whoAsks(storage, bySession('next')), 'ann');
      await right(storage.endSession(hashSecret('next')));
      assert.equal(await whoAsks(storage, bySession('next')), 'nobody');
      await right(storage.endSession(hashSecret('next')));
      assert.equal(await whoAsks(storage, bySession('bobs')), 'bob');
    }),
  },
  {
    name: 'of too many sessions of one user the oldest ends',
    run: holding(open, doors, async (storage) => {
      for (let i = 0; i <= maxSessions; i += 1) {
        const createdAt = after(i + 1);
        await right(
          storage.startSession(session('bob', `s${i}`, { createdAt, expiresAt: after(100_000) }), null),
        );
      }
      assert.equal(await whoAsks(storage, bySession('s0')), 'nobody');
      assert.equal(await whoAsks(storage, bySession('s1')), 'bob');
      assert.equal(await whoAsks(storage, bySession(`s${maxSessions}`)), 'bob');
      assert.equal(await whoAsks(storage, bySession('good')), 'ann');
    }),
  },
  {
    name: 'many logins of one user at once, at the limit: all succeed, and no more sessions are left than there may be',
    run: holding(open, doors, async (storage) => {
      const values = Array.from({ length: maxSessions + 40 }, (_, i) => `s${i}`);
      const start = (value: string, i: number) =>
        right(
          storage.startSession(
            session('bob', value, { createdAt: after(i), expiresAt: after(100_000) }),
            null,
          ),
        );
      for (const [i, value] of values.slice(0, maxSessions).entries()) await start(value, i);
      await Promise.all(values.slice(maxSessions).map((value, i) => start(value, maxSessions + i)));
      const holding = await Promise.all(values.map((value) => storage.caller(bySession(value))()));
      assert.ok(holding.filter(E.isRight).length <= maxSessions);
      assert.ok(holding.slice(maxSessions).every(E.isRight), 'those that have just begun hold');
    }),
  },
  {
    name: 'tokens are listed the newest first, whatever state they are in, and to their owner alone',
    run: holding(open, doors, async (storage) => {
      const added = apiToken('bob', 'new', { createdAt: after(1), expiresAt: after(2), name: 'é\n"' });
      await right(storage.addApiToken(added));
      const [first, ...others] = await right(storage.apiTokens({ userId: 'bob' }));
      assert.deepEqual(first, added);
      assert.deepEqual(
        others.map(({ id }) => id),
        ['tok-holds'],
      );
      assert.equal((await right(storage.apiTokens({ userId: 'ann' }))).length, 5);
      assert.equal(await whoAsks(storage, byToken('new')), 'bob');
    }),
  },
  {
    name: 'a token is revoked at once, by its owner alone, and stays revoked from the first time on',
    run: holding(open, doors, async (storage) => {
      assert.equal(
        await right(storage.revokeApiToken({ userId: 'bob' }, 'tok-expires-next', after(0))),
        false,
      );
      assert.equal(await right(storage.revokeApiToken({ userId: 'bob' }, 'tok-holds', after(0))), true);
      assert.equal(await right(storage.revokeApiToken({ userId: 'bob' }, 'tok-holds', after(5))), true);
      for (const unknown of ['nope', '', '\u0000']) {
        assert.equal(await right(storage.revokeApiToken({ userId: 'bob' }, unknown, after(0))), false);
      }
      assert.equal(await whoAsks(storage, byToken('bobs-token')), 'nobody');
      assert.equal(await whoAsks(storage, byToken('holds')), 'ann');
      assert.equal((await right(storage.apiTokens({ userId: 'bob' })))[0]?.revokedAt, after(0));
      assert.equal(
        await right(storage.revokeApiToken({ userId: 'ann' }, 'tok-revoked-next', after(0))),
        true,
      );
      assert.equal(await whoAsks(storage, byToken('revoked-next')), 'nobody');
    }),
  },
  {
    name: 'a user has no more tokens that hold than one may have, not even when all are minted at once',
    run: holding(open, doors, async (storage) => {
      const results = await Promise.all(
        Array.from({ length: maxActiveApiTokens + 5 }, (_, i) =>
          storage.addApiToken(apiToken('bob', `t${i}`))(),
        ),
      );
      const refused = results.filter(E.isLeft);
      assert.equal(refused.length, 6, 'one was there already');
      for (const { left } of refused) assert.deepEqual(left, { _tag: 'TooManyApiTokens' });
      await right(storage.revokeApiToken({ userId: 'bob' }, 'tok-holds', after(0)));
      await right(storage.addApiToken(apiToken('bob', 'again')));
    }),
  },
  {
    name: 'of those that hold no more, the oldest is forgotten first',
    run: holding(open, doors, async (storage) => {
      for (let i = 0; i < maxApiTokens + 3; i += 1) {
        await right(storage.addApiToken(apiToken('bob', `t${i}`, { createdAt: after(i - 1000) })));
        await right(storage.revokeApiToken({ userId: 'bob' }, `tok-t${i}`, after(i - 1000)));
      }
      const ids = (await right(storage.apiTokens({ userId: 'bob' }))).map(({ id }) => id);
      assert.ok(ids.length <= maxApiTokens + 1, String(ids.length));
      assert.equal(ids.includes('tok-t0'), false);
      assert.equal(ids.includes('tok-holds'), true);
      assert.equal(ids[0], `tok-t${maxApiTokens + 2}`);
    }),
  },
  {
    name: 'a use of a token is noted, once a minute, and to look is no use',
    run: holding(open, doors, async (storage) => {
      const lastUse = async () => String((await right(storage.apiTokens({ userId: 'bob' })))[0]?.lastUsedAt);
      const use = (milliseconds: number) => right(storage.repos(byToken('bobs-token', after(milliseconds))));
      await right(storage.caller(byToken('bobs-token')));
      await right(storage.repos(bySession('bobs')));
      assert.equal(await lastUse(), 'null');
      await use(0);
      await eventually(lastUse, after(0));
      await use(59_999);
      assert.equal(await lastUse(), after(0));
      await use(60_000);
      await eventually(lastUse, after(60_000));
    }),
  },
  { name: 'it is ready', run: holding(open, [], async (storage) => right(storage.ready())) },
];
