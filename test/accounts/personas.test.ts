import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type { Persona } from '../../src/accounts/personas.js';
import { signUp } from '../../src/accounts/sign-up.js';
import { aDraft, aPullRequest, aRepo, aScan, aUser, dataset } from '../_data.js';
import { aStorage, bySession } from '../_storage.js';
import { aVisitor, dependencies, kim, outcome } from './_accounts.js';

const form = { email: 'ann@new.test', name: 'Ann', password: 'correct horse' };

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
  const started = await signUp({ ...allowing(personas), storage })(posted, aVisitor())();
  if (E.isLeft(started)) throw new Error(started.left._tag);
  const credentials = bySession(started.right.sessionValue);
  const all = { repoId: undefined, offset: 0, limit: 100 };
  const [repos, findings] = await Promise.all([
    storage.repos(credentials)(),
    storage.findings(credentials, all)(),
  ]);
  if (E.isLeft(repos) || E.isLeft(findings)) throw new Error('the rows cannot be read');
  return {
    areDemoRows: repos.right.map(({ repo }) => repo.isDemoRow),
    findings: findings.right.rows.map(({ id }) => id),
  };
};

test('a new account starts with the rows of the persona, under fresh ids, as demo rows', async (t) => {
  const { areDemoRows, findings } = await startedWith([acme, boundary], {
    ...form,
    persona: 'acme',
  });
  t.deepEqual(areDemoRows, [true]);
  t.is(findings.length, 2);
  t.true(findings.every((id) => /^fix_.{12}/.test(id)));
});

for (const persona of [undefined, null, '']) {
  test(`without a persona (${persona}), a new account starts with the usual demo rows`, async (t) => {
    const { findings } = await startedWith([acme], { ...form, persona });
    t.deepEqual(findings, []);
  });
}

for (const persona of ['demo', 'ACME', ['acme'], {}, 1, true, '__proto__']) {
  test(`the persona ${JSON.stringify(persona)} is refused, naming the allowed ones`, async (t) => {
    const refused = await signUp(allowing([acme, boundary]))({ ...form, name: '', persona }, aVisitor())();
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
  const { findings } = await startedWith(null, { ...form, persona: ['nope'] });
  t.deepEqual(findings, []);
});

test('while there is no persona to choose, each is refused', async (t) => {
  t.is(await outcome(signUp(allowing([]))({ ...form, persona: 'acme' }, aVisitor())), 'InvalidForm');
  t.is(await outcome(signUp(allowing([]))({ ...form, persona: '' }, aVisitor())), 'done');
});
