import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { hashSecret } from '../../src/accounts/sessions-and-tokens.js';
import { readFixtures, shippedFixtures } from '../../src/fixtures/read-fixtures.js';
import { publishedShippedAccounts, shippedSessions, shippedUserIds } from '../../src/server/demo-accounts.js';

test('the users and sessions are those of the shipped fixtures', async (t) => {
  const read = await readFixtures(shippedFixtures)();
  const datasets = E.isRight(read) ? read.right.map(({ dataset }) => dataset) : [];
  t.true(datasets.length > 0);
  t.deepEqual(
    [...shippedUserIds],
    datasets.map(({ user }) => user.id),
  );
  t.deepEqual(
    [...shippedSessions],
    datasets.flatMap(({ sessions }) => sessions.map(({ value }) => value)),
  );
});

test('they are published, unless visitors may change them, and no other account is', (t) => {
  const { isPublished, isPublishedSession } = publishedShippedAccounts(false);
  t.true(isPublished('usr_acme') && isPublishedSession(hashSecret('acme-session')));
  t.false(isPublished('usr_other') || isPublishedSession(hashSecret('other-session')));
  const mutable = publishedShippedAccounts(true);
  t.false(mutable.isPublished('usr_acme') || mutable.isPublishedSession(hashSecret('acme-session')));
});
