import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { type Fixture, readFixtures, shippedFixtures } from '../../src/fixtures/read-fixtures.js';
import { demoAccountsOf } from '../../src/server/demo-accounts.js';
import { aDraft, aPullRequest, aRepo, aUser, dataset } from '../_data.js';

const own = (name: string, over: object = {}): Fixture => ({
  name,
  file: `${name}.json`,
  dataset: dataset({ user: aUser(name), ...over }),
});

const kept = { showPasswords: false, areShipped: false };

test('an account has the counts of its tenant, and what stands out in it', (t) => {
  const fixture = own('team', {
    repos: [aRepo('r')],
    fixDrafts: [
      aDraft('d1', 'r', { severity: 'critical' }),
      aDraft('d2', 'r', { severity: 'low', status: 'escalated' }),
    ],
    pullRequests: [
      aPullRequest('p1', 'd1', { prState: 'open' }),
      aPullRequest('p2', 'd2', { prState: null }),
    ],
  });
  const { shown, total } = demoAccountsOf([fixture, own('none')], kept);
  t.is(total, 2);
  t.deepEqual(
    shown.map(({ repos, findings, openPrs, password, purpose }) => [
      repos,
      findings,
      openPrs,
      password,
      purpose,
    ]),
    [
      [1, 2, 1, null, 'The fixture team, with 1 critical finding and 1 escalated finding.'],
      [0, 0, 0, null, 'The fixture none: every list is empty.'],
    ],
  );
});

test('of many accounts, the first ones are shown, and all can be found by id and address', (t) => {
  const fixtures = Array.from({ length: 10_000 }, (_, i) => own(`t${i}`));
  const { shown, total, find } = demoAccountsOf(fixtures, kept);
  t.deepEqual([shown.length, total], [12, 10_000]);
  t.is(find('t9999')?.email, 't9999@test.test');
  t.is(find('T9999@TEST.test')?.id, 't9999');
  t.is(find('T9999'), null);
});

test('passwords are kept only to be shown', (t) => {
  t.is(demoAccountsOf([own('team')], { ...kept, showPasswords: true }).shown[0]?.password, 'secret');
  t.false(JSON.stringify(demoAccountsOf([own('team')], kept)).includes('secret'));
});

test('each shipped tenant has a purpose, and no other fixture counts as shipped', async (t) => {
  const shipped = await readFixtures(shippedFixtures)();
  if (E.isLeft(shipped)) return t.fail(shipped.left.join('\n'));
  const { shown, total, find } = demoAccountsOf([...shipped.right, own('stranger')], {
    showPasswords: true,
    areShipped: true,
  });
  t.is(total, shipped.right.length);
  t.is(find('stranger'), null);
  for (const { name, purpose } of shown) t.notRegex(purpose, /^The fixture/, name);
});
