import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { prStatusOf } from '../src/contract/pr-status-of.js';
import type { Dataset } from '../src/records/dataset.js';
import { shippedFixtures } from '../src/server/shipped-fixtures.js';
import { readFixtures } from '../src/storage/fixtures/read-fixtures.js';
import { aUser, dataset } from './_data.js';

const fixtures = await readFixtures(shippedFixtures)();
const all = E.isRight(fixtures) ? fixtures.right : [];
const named = (name: string): Dataset =>
  all.find((fixture) => fixture.name === name)?.dataset ?? dataset({ user: aUser('missing') });
const values = <A>(rows: readonly A[], of: (row: A) => unknown): readonly unknown[] =>
  Array.from(new Set(rows.map(of))).sort();

test('they have no problems, and are these', (t) => {
  t.deepEqual(E.isLeft(fixtures) ? fixtures.left : [], []);
  t.deepEqual(
    all.map(({ name }) => name),
    ['acme', 'boundary', 'demo', 'empty', 'large'],
  );
});

test('each says when it looked fresh, and has a session and a token', (t) => {
  for (const { name, dataset } of all) {
    t.not(dataset.asOf, undefined, name);
    t.true(dataset.sessions.length > 0 && dataset.apiTokens.length > 0, name);
  }
});

test('demo: every row is a demo row', (t) => {
  t.deepEqual(
    values(named('demo').repos, (repo) => repo.isDemoRow),
    [true],
  );
});

test('acme: every severity, status and pull request state, failed scans, codemods, a repository never scanned', (t) => {
  const acme = named('acme');
  t.deepEqual(
    values(acme.fixDrafts, (d) => d.severity),
    ['critical', 'high', 'low', 'medium'],
  );
  t.deepEqual(
    values(acme.fixDrafts, (d) => d.status),
    ['drafting', 'escalated', 'pending', 'resolved'],
  );
  t.deepEqual(
    values(acme.pullRequests, (p) => prStatusOf(p.prState)),
    ['closed', 'merged', null, 'open'],
  );
  for (const state of ['open', 'merged', 'closed', 'cancelled', null]) {
    t.true(
      acme.pullRequests.some((p) => p.prState === state),
      String(state),
    );
  }
  t.true(acme.scans.some((scan) => scan.status === 'failed' && scan.error !== null));
  t.true(acme.pullRequests.some((p) => p.hasCodemod && p.codemodSummary.includes('\n')));
  t.true(acme.repos.some((repo) => !acme.scans.some((scan) => scan.repoId === repo.id)));
  t.true(values(acme.repos, (repo) => repo.scanStatusBadge).length >= 5);
});

test('empty: an account and nothing else', (t) => {
  const { repos, scans, fixDrafts, pullRequests } = named('empty');
  t.deepEqual([repos, scans, fixDrafts, pullRequests], [[], [], [], []]);
});

test('boundary: page sizes minus and plus one, ties across a page, nulls, the longest and the least Latin', (t) => {
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

test('large: about a thousand rows over thirty repositories', (t) => {
  const { repos, fixDrafts, pullRequests } = named('large');
  t.is(repos.length, 30);
  t.true(fixDrafts.length + pullRequests.length >= 1000);
});

test('believable: advisories have one severity, scores lie within 0 to 1, and nothing happens before its cause', (t) => {
  const severities = new Map<string, string>();
  for (const { name, dataset } of all) {
    for (const draft of dataset.fixDrafts) {
      const what = `${name} ${draft.id}`;
      for (const score of [draft.reachability, draft.exploitSignal]) t.true(score >= 0 && score <= 1, what);
      t.true(draft.discoveredAt <= draft.updatedAt && draft.updatedAt <= (dataset.asOf ?? ''), what);
      if (name === 'boundary') continue;
      t.regex(draft.advisoryId, /^GHSA(-[23456789cfghjmpqrvwx]{4}){3}$/, what);
      t.is(severities.get(draft.advisoryId) ?? draft.severity, draft.severity, what);
      severities.set(draft.advisoryId, draft.severity);
      const states = dataset.pullRequests.filter((p) => p.draftId === draft.id).map((p) => p.prState);
      if (draft.status === 'resolved') t.true(states.includes('merged'), what);
      if (draft.status === 'pending') t.deepEqual(states, [], what);
    }
    for (const pr of dataset.pullRequests) {
      const draft = dataset.fixDrafts.find(({ id }) => id === pr.draftId);
      t.true((draft?.discoveredAt ?? '') <= pr.createdAt && pr.createdAt <= pr.updatedAt, `${name} ${pr.id}`);
      t.true(pr.updatedAt <= (dataset.asOf ?? ''), `${name} ${pr.id}`);
    }
    for (const scan of dataset.scans) t.true(scan.startedAt <= scan.finishedAt, `${name} ${scan.id}`);
  }
});
