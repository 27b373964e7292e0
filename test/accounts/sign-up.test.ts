import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type { Persona } from '../../src/accounts/demo-rows.js';
import { signUp } from '../../src/accounts/log-in-and-sign-up.js';
import { rowsFound } from '../../src/storage/conformance/conformance-case.js';
import { aDraft, aPullRequest, aRepo, aScan, aUser, dataset } from '../_data.js';
import { limiterOf } from '../_limits.js';
import { aStorage, bySession, hashCheaply } from '../_storage.js';
import { aVisitor, dependencies, kim, kimSession, outcome } from './_accounts.js';

const form = { email: 'ann@new.test', name: ' Ann ', password: 'correct horse' };

test('signing up creates the user with a trimmed name and a session, and ends the session before', async (t) => {
  const given = dependencies();
  const started = await signUp(given)(form, aVisitor({ session: kimSession }));
  if (E.isLeft(started)) return t.fail(started.left._tag);
  const { user, sessionValue } = started.right;
  t.regex(user.id, /^usr_/);
  t.deepEqual([user.email, user.name], ['ann@new.test', 'Ann']);
  t.deepEqual(await given.storage.caller(bySession(sessionValue)), E.right({ userId: user.id }));
  t.is(await outcome(given.storage.caller(bySession('kim-cookie'))), 'Unauthorized');
});

test('signing up stores the hash of the password', async (t) => {
  const given = dependencies();
  await signUp(given)(form, aVisitor());
  const user = await given.storage.userByEmail('ann@new.test');
  t.true(E.isRight(user) && user.right !== null && /^scrypt\$/.test(user.right.passwordHash));
});

test('signing up with a taken address gives EmailTaken and ends no session', async (t) => {
  const given = dependencies();
  t.is(
    await outcome(signUp(given)({ ...form, email: 'KIM@test.test' }, aVisitor({ session: kimSession }))),
    'EmailTaken',
  );
  t.is(await outcome(given.storage.caller(bySession('kim-cookie'))), 'done');
});

test('sign-ups are limited, also successful ones; an invalid form does not count', async (t) => {
  const attempts = limiterOf({ signUpsPerAddress: 1 });
  const given = dependencies({ attempts });
  t.is(await outcome(signUp(given)({ ...form, password: 'short' }, aVisitor())), 'InvalidForm');
  t.is(await outcome(signUp(given)(form, aVisitor())), 'done');
  t.is(await outcome(signUp(given)({ ...form, email: 'b@new.test' }, aVisitor())), 'TooManyAttempts');
});

test('a sign-up does not end a published session that the request came with', async (t) => {
  const given = dependencies({ isPublishedSession: (session) => session === kimSession });
  t.is(await outcome(signUp(given)(form, aVisitor({ session: kimSession }))), 'done');
  t.is(await outcome(given.storage.caller(bySession('kim-cookie'))), 'done');
});

test('the new password of a visitor who has left is not hashed', async (t) => {
  const hashPassword = async () => {
    t.fail('a password was hashed');
    return hashCheaply('x');
  };
  const gone = aVisitor({ hasLeft: () => true });
  t.is(await outcome(signUp(dependencies({ hashPassword }))(form, gone)), 'Busy');
});

const filledIn = { email: 'ann@new.test', name: 'Ann', password: 'correct horse' };

const acme: Persona = {
  name: 'acme',
  repos: 1,
  findings: 2,
  rows: () =>
    dataset({
      user: aUser('acme'),
      repos: [aRepo('web', { isDemoRow: false })],
      scans: [aScan('s1', 'web')],
      fixDrafts: [aDraft('d1', 'web'), aDraft('d2', 'web')],
      pullRequests: [aPullRequest('p1', 'd1')],
    }),
};
const boundary: Persona = { ...acme, name: 'boundary' };

const allowing = (personas: readonly Persona[] | null) => dependencies({ personas: () => personas });

/** The ids of the new account's findings, and whether all of its repositories are demo rows. */
const startedWith = async (personas: readonly Persona[] | null, posted: unknown) => {
  const storage = aStorage([kim]);
  const started = await signUp({ ...allowing(personas), storage })(posted, aVisitor());
  if (E.isLeft(started)) throw new Error(started.left._tag);
  const credentials = bySession(started.right.sessionValue);
  const all = { repoId: undefined, offset: 0, limit: 100 };
  const [repos, findings] = await Promise.all([
    rowsFound(storage.repos(credentials)),
    rowsFound(storage.findings(credentials, all)),
  ]);
  return {
    areDemoRows: repos.map(({ repo }) => repo.isDemoRow),
    findings: findings.rows.map(({ id }) => id),
  };
};

test('a new account starts with the rows of the persona, under fresh ids, as demo rows', async (t) => {
  const { areDemoRows, findings } = await startedWith([acme, boundary], {
    ...filledIn,
    persona: 'acme',
  });
  t.deepEqual(areDemoRows, [true]);
  t.is(findings.length, 2);
  t.true(findings.every((id) => /^fix_.{12}/.test(id)));
});

for (const persona of [undefined, null, '']) {
  test(`without a persona (${persona}), a new account starts with the usual demo rows`, async (t) => {
    const { findings } = await startedWith([acme], { ...filledIn, persona });
    t.deepEqual(findings, []);
  });
}

for (const persona of ['demo', 'ACME', ['acme'], {}, 1, true, '__proto__']) {
  test(`the persona ${JSON.stringify(persona)} is refused, naming the allowed ones`, async (t) => {
    const refused = await signUp(allowing([acme, boundary]))({ ...filledIn, name: '', persona }, aVisitor());
    if (E.isRight(refused) || refused.left._tag !== 'InvalidForm') return t.fail();
    t.deepEqual(
      refused.left.problems.map(({ path }) => path),
      [['name'], ['persona']],
    );
    t.regex(
      refused.left.problems[1]?.message ?? '',
      /^expected the name of a persona \(acme, boundary\), or nothing, got /,
    );
  });
}

test('where personas cannot be chosen, the field is ignored like any other unknown one', async (t) => {
  const { findings } = await startedWith(null, { ...filledIn, persona: ['nope'] });
  t.deepEqual(findings, []);
});

test('while there is no persona to choose, each is refused', async (t) => {
  t.is(await outcome(signUp(allowing([]))({ ...filledIn, persona: 'acme' }, aVisitor())), 'InvalidForm');
  t.is(await outcome(signUp(allowing([]))({ ...filledIn, persona: '' }, aVisitor())), 'done');
});
