import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { timestampAt } from '../../src/contract/codecs/timestamp.js';
import { validateDataset } from '../../src/records/validate-dataset.js';
import { type CopiedTenant, copyTenant } from '../../src/server/tenants-on-demand.js';
import { aDraft, aPullRequest, aRepo, aScan, at, aUser, dataset, now } from '../_data.js';

const copied = (...words: Parameters<typeof copyTenant>): CopiedTenant => {
  const copy = copyTenant(...words);
  if (E.isLeft(copy)) throw new Error(JSON.stringify(copy.left));
  return copy.right;
};

const original = dataset({
  asOf: now,
  user: aUser('kim'),
  repos: [aRepo('b'), aRepo('a')],
  scans: [aScan('s', 'a')],
  fixDrafts: Array.from({ length: 12 }, (_, index) => aDraft(`d${index}`, index % 2 === 0 ? 'a' : 'b')),
  pullRequests: [aPullRequest('p', 'd11')],
});

test('a copy has the rows of the original, and a user and credentials of its own', (t) => {
  const { dataset: copy, session, token, password } = copied(original, 'same', at(now));
  for (const rows of ['repos', 'scans', 'fixDrafts', 'pullRequests'] as const)
    t.is(copy[rows], original[rows]);
  t.is(copy.asOf, original.asOf);
  t.is(copy.user.name, 'kim');
  t.regex(copy.user.id, /^usr_/);
  t.regex(copy.user.email, /^kim-[0-9a-f]{16}@test\.test$/);
  t.is(copy.user.password, password);
  t.deepEqual(
    copy.sessions.map(({ value }) => value),
    [session],
  );
  t.deepEqual(
    copy.apiTokens.map((each) => each.token),
    [token],
  );
});

test('copies differ in everything that identifies somebody', (t) => {
  const copies = Array.from({ length: 50 }, () => copied(original, 'same', 0));
  const secrets = copies.flatMap(({ dataset: { user }, session, token, password }) => [
    user.id,
    user.email,
    session,
    token,
    password,
  ]);
  t.is(new Set(secrets).size, secrets.length);
});

test('fresh ids keep references, and the order of ids', (t) => {
  const { dataset: copy } = copied(original, 'fresh', at(now));
  t.true(E.isRight(validateDataset(copy)));
  const ids = (rows: readonly Readonly<{ id: string }>[]): readonly string[] => rows.map(({ id }) => id);
  for (const rows of ['repos', 'scans', 'fixDrafts', 'pullRequests'] as const) {
    const [before, after] = [ids(original[rows]), ids(copy[rows])];
    t.is(new Set([...before, ...after]).size, 2 * before.length);
    const rank = (list: readonly string[]) => list.map((id) => list.filter((other) => other < id).length);
    t.deepEqual(rank(after), rank(before));
  }
  const withoutIds = ({ id: _, repoId: __, ...rest }: (typeof copy.fixDrafts)[number]) => rest;
  t.deepEqual(copy.fixDrafts.map(withoutIds), original.fixDrafts.map(withoutIds));
});

test('a copy of a fixture without a date is dated for the moment, and any e-mail address has a copy', (t) => {
  for (const email of ['a@b', `${'x'.repeat(250)}@y.z`, '"a b"@x', 'ä@ö.test']) {
    const { asOf: _, ...undated } = original;
    const { dataset: copy } = copied(
      { ...undated, asOf: undefined, user: { ...original.user, email } },
      'same',
      at(now),
    );
    t.true(E.isRight(validateDataset(copy)), email);
    t.not(copy.user.email, email);
    t.is(copy.sessions[0]?.createdAt, timestampAt(at(now)));
  }
});
