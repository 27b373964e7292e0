import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type { Fixture } from '../../src/fixtures/read-fixtures.js';
import { followPersonas, maxPersonaRows, personasNamed } from '../../src/server/demo-accounts.js';
import { aDraft, aRepo, aScan, at, aUser, dataset, now } from '../_data.js';

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
