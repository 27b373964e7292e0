import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { millisecondsOf, timestampAt } from '../src/contract/codecs/timestamp.js';
import { FindingStatus, PrStatus, prStatusOf, Severity } from '../src/contract/enums.js';
import type { Dataset } from '../src/fixtures/dataset.js';
import { type Fixture, readFixtures, shippedFixtures } from '../src/fixtures/read-fixtures.js';
import { playSteps } from '../src/simulation/changed-fixtures.js';
import { readScenarioFile } from '../src/simulation/open-fixtures.js';
import { unbelievable } from './_believable.js';
import { aUser, column, dataset } from './_data.js';
import { shippedDatasets } from './_shipped.js';

const all: readonly Fixture[] = shippedDatasets.map((dataset) => {
  const name = dataset.user.id.replace('usr_', '');
  return { name, file: join(shippedFixtures, `${name}.json`), dataset };
});
const named = (name: string): Dataset =>
  all.find((fixture) => fixture.name === name)?.dataset ?? dataset({ user: aUser('missing') });
const values = <A>(rows: readonly A[], of: (row: A) => unknown): readonly unknown[] =>
  Array.from(new Set(rows.map(of))).sort();

test('the shipped fixtures have no problems, and are these', async (t) => {
  const expected = all.map((fixture) => ({ ...fixture, notes: [] }));
  t.deepEqual(await readFixtures(shippedFixtures), E.right(expected));
  t.deepEqual(column(all, 'name'), ['acme', 'boundary', 'demo', 'empty', 'large']);
});

test('each shipped fixture says when it looked fresh, and has a session and a token', (t) => {
  for (const { name, dataset } of all) {
    t.not(dataset.asOf, undefined, name);
    t.true(dataset.sessions.length > 0 && dataset.apiTokens.length > 0, name);
  }
  t.true(named('demo').repos.every(({ isDemoRow }) => isDemoRow));
});

test('the fixture "empty" has an account and nothing else', (t) => {
  const { repos, scans, fixDrafts, pullRequests } = named('empty');
  t.deepEqual([repos, scans, fixDrafts, pullRequests], [[], [], [], []]);
});

test('the fixture "boundary" has page sizes minus and plus one, ties across a page, nulls, and the longest and least Latin texts', (t) => {
  const boundary = named('boundary');
  const draftRepo = new Map(boundary.fixDrafts.map((draft) => [draft.id, draft.repoId]));
  for (const size of [24, 25, 26, 99, 100, 101]) {
    const repoId = `repo_${String(size).padStart(3, '0')}_rows`;
    t.is(boundary.fixDrafts.filter((d) => d.repoId === repoId).length, size);
    t.is(boundary.pullRequests.filter((p) => draftRepo.get(p.draftId) === repoId).length, size);
  }
  const ties = boundary.fixDrafts.filter((d) => d.repoId === 'repo_026_rows').map((d) => d.discoveredAt);
  t.is(new Set(ties).size, 1);
  t.true(boundary.pullRequests.some((p) => p.prState === null && p.reconciledAt === null));
  t.true(boundary.pullRequests.some((p) => p.prState !== null && prStatusOf(p.prState) === null));
  t.true(boundary.fixDrafts.some((d) => d.package.length === 214));
  t.true(boundary.fixDrafts.some((d) => /\p{Script=Katakana}/u.test(d.package)));
  t.true(boundary.fixDrafts.some((d) => /[\u{10000}-\u{10FFFF}]/u.test(d.package)));
});

test('the fixture "large" has about a thousand rows in thirty repositories', (t) => {
  const { repos, fixDrafts, pullRequests } = named('large');
  t.is(repos.length, 30);
  t.true(fixDrafts.length + pullRequests.length >= 1000);
});

/** The repositories of `boundary` whose rows are odd on purpose. */
const oddRepos = ['repo_nulls', 'repo_words', 'repo_longest'];

for (const { name, dataset } of all) {
  test(`the data of ${name} is true to life, but for the rows that are odd on purpose`, (t) => {
    t.deepEqual(
      unbelievable(dataset, (repoId) => name !== 'boundary' || !oddRepos.includes(repoId)),
      [],
    );
  });

  test(`${name}: sessions and tokens are made before they end, and nothing is made in the future`, (t) => {
    for (const { id, createdAt, ...end } of [...dataset.sessions, ...dataset.apiTokens]) {
      t.true(createdAt <= (dataset.asOf ?? ''), id);
      t.true(end.expiresAt === null || createdAt < end.expiresAt, id);
      t.true(!('revokedAt' in end) || end.revokedAt === null || createdAt < end.revokedAt, id);
    }
  });
}

test('the scenario of the package: the data is true to life after each of its steps', async (t) => {
  const scenario = await readScenarioFile('acme');
  if (E.isLeft(scenario)) return t.fail(scenario.left.join('\n'));
  t.true(scenario.right.length >= 8);
  for (const [index, { at }] of scenario.right.entries()) {
    const { fixtures: played, problems } = playSteps(scenario.right.slice(0, index + 1), all);
    t.deepEqual(problems, []);
    const acme = played.find(({ name }) => name === 'acme')?.dataset;
    if (acme?.asOf === undefined) return t.fail('acme has no asOf');
    t.deepEqual(
      unbelievable({ ...acme, asOf: timestampAt(millisecondsOf(acme.asOf) + at) }),
      [],
      `step ${index}`,
    );
  }
});

const acme = named('acme');

/** What README promises of the tenants, and where it is. */
const promised: Readonly<Record<string, () => boolean>> = {
  'every severity': () =>
    values(acme.fixDrafts, (d) => d.severity).length === Object.keys(Severity.keys).length,
  status: () => values(acme.fixDrafts, (d) => d.status).length === Object.keys(FindingStatus.keys).length,
  'pull request state': () =>
    [...Object.keys(PrStatus.keys), 'cancelled', null].every((state) =>
      acme.pullRequests.some(({ prState }) => prState === state),
    ),
  'failed scans': () => acme.scans.some(({ status, error }) => status === 'failed' && error !== null),
  codemods: () => acme.pullRequests.some((pr) => pr.hasCodemod && pr.codemodSummary.includes('\n')),
};

const badges = ['attention', 'failed', 'healthy', 'never_scanned', 'partial', 'scanning'];
const repoStatuses = ['blocked', 'clear', 'fix_open', 'needs_review', 'not_scanned'];

test('every state that README promises of acme occurs, and every badge of a repository', async (t) => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  const [, list = ''] = /^\| `acme` \|.*a busy team: (.*) \|$/m.exec(readme) ?? [];
  t.deepEqual(list.split(/, | and /), Object.keys(promised));
  for (const [what, occurs] of Object.entries(promised)) t.true(occurs(), what);
  const { repos, fixDrafts, scans } = acme;
  t.deepEqual(
    [values(repos, (r) => r.scanStatusBadge), values(repos, (r) => r.status)],
    [badges, repoStatuses],
  );
  t.deepEqual([values(fixDrafts, (d) => d.ciStatus)], [['failing', 'none', 'passing', 'running']]);
  t.true(repos.some((repo) => !scans.some((scan) => scan.repoId === repo.id)));
});
