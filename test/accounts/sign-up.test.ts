import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type { Persona } from '../../src/accounts/demo-rows.js';
import { signUp } from '../../src/accounts/log-in-and-sign-up.js';
import { aDraft, aPullRequest, aRepo, aScan, aUser, dataset } from '../_data.js';
import { hashCheaply } from '../_storage.js';
import { aVisitor, dependencies, outcome } from './_accounts.js';

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

test('while there is no persona to choose, each is refused', async (t) => {
  t.is(await outcome(signUp(allowing([]))({ ...filledIn, persona: 'acme' }, aVisitor())), 'InvalidForm');
  t.is(await outcome(signUp(allowing([]))({ ...filledIn, persona: '' }, aVisitor())), 'done');
});
