import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { hashSecret } from '../../src/api/credentials.js';
import {
  demoAccountsOf,
  followPersonas,
  maxPersonaRows,
  personasNamed,
  publishedShippedAccounts,
  shippedSessions,
  shippedUserIds,
} from '../../src/fixtures/demo-accounts.js';
import { type Fixture, readFixtures, shippedFixtures } from '../../src/fixtures/read-fixtures.js';
import { aDraft, aPullRequest, aRepo, aScan, at, aUser, dataset, now } from '../_data.js';

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
  const shipped = await readFixtures(shippedFixtures);
  if (E.isLeft(shipped)) return t.fail(shipped.left.join('\n'));
  const { shown, total, find } = demoAccountsOf([...shipped.right, own('stranger')], {
    showPasswords: true,
    areShipped: true,
  });
  t.is(total, shipped.right.length);
  t.is(find('stranger'), null);
  for (const { name, purpose } of shown) t.notRegex(purpose, /^The fixture/, name);
});

test('the users and sessions are those of the shipped fixtures', async (t) => {
  const read = await readFixtures(shippedFixtures);
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

const fixture = (name: string, scans = 1): Fixture => ({
  name,
  file: `${name}.json`,
  dataset: dataset({
    user: aUser(name),
    asOf: now,
    repos: [aRepo('r')],
    scans: Array.from({ length: scans }, (_, index) => aScan(`s${index}`, 'r')),
    fixDrafts: [aDraft('d', 'r')],
  }),
});

const served = [fixture('acme'), fixture('boundary')];

test('personas come in the order of their names, with what a visitor gets, dated like demo rows', (t) => {
  const { personas, problems } = personasNamed(['boundary', 'acme'], served, 500);
  t.deepEqual(problems, []);
  t.deepEqual(
    personas.map(({ rows, ...shown }) => shown),
    [
      { name: 'boundary', repos: 1, findings: 1 },
      { name: 'acme', repos: 1, findings: 1 },
    ],
  );
  const moment = (later: number) => personas[0]?.rows(at(now) + later).fixDrafts[0]?.discoveredAt ?? '';
  t.is(Date.parse(moment(5000)) - Date.parse(moment(0)), 5000);
});

test('a name that no fixture has is a problem that lists the known names', (t) => {
  t.deepEqual(personasNamed(['acne', 'x\n'], served, 500).problems, [
    'persona "acne": expected one of acme, boundary; did you mean "acme"?',
    'persona "x\\n": expected one of acme, boundary',
  ]);
});

test('a persona has at most so many rows that a million are kept in memory, and never more than ten thousand', (t) => {
  t.deepEqual([null, 1, 100, 500, 1_000_000].map(maxPersonaRows), [10_000, 10_000, 10_000, 2000, 1]);
  const most = fixture('most', 1998);
  const more = fixture('more', 1999);
  t.deepEqual(personasNamed(['most', 'more'], [most, more], 500).problems, [
    'persona "more": 2001 rows; at most 2000 are allowed with --max-signups 500, because every account gets a copy',
  ]);
  t.deepEqual(personasNamed(['more'], [more], null).problems, []);
});

test('without names there is no choice; a wrong name is refused', (t) => {
  const given = { log: () => {}, maxSignUps: 500 };
  const none = followPersonas([], served, given);
  t.is(E.isRight(none) ? none.right.personas() : undefined, null);
  t.true(E.isLeft(followPersonas(['acme', 'nope'], served, given)));
});

test('a persona whose fixture disappears cannot be chosen until it is back, which the log says once', (t) => {
  const logged: unknown[] = [];
  const followed = followPersonas(['acme', 'boundary'], served, {
    log: (...entry) => logged.push(entry),
    maxSignUps: 500,
  });
  if (E.isLeft(followed)) return t.fail();
  const { personas, follow } = followed.right;
  const names = () => personas()?.map(({ name }) => name);
  follow([fixture('boundary')]);
  follow([fixture('boundary')]);
  t.deepEqual(names(), ['boundary']);
  t.deepEqual(logged, [
    [
      'warn',
      'new accounts cannot start with these personas now',
      { problems: ['persona "acme": expected one of boundary'] },
    ],
  ]);
  follow([]);
  t.deepEqual(names(), []);
  follow(served);
  t.deepEqual(names(), ['acme', 'boundary']);
});
