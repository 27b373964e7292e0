import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type { Persona } from '../../src/accounts/demo-rows.js';
import { signUp } from '../../src/accounts/log-in-and-sign-up.js';
import { rowsFound } from '../../src/storage/conformance/conformance-case.js';
import { aDraft, aPullRequest, aRepo, aScan, aUser, dataset } from '../_data.js';
import { aStorage, bySession, hashCheaply } from '../_storage.js';
import { aVisitor, dependencies, kim, outcome } from './_accounts.js';

const form = { email: 'ann@new.test', name: ' Ann ', password: 'correct horse' };

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
