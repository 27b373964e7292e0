import test from 'ava';
import { FindingDetail } from '../../../src/contract/finding.js';
import { Pr } from '../../../src/contract/pr.js';
import { Repo } from '../../../src/contract/repo.js';
import { findingDetailView, findingView, prView, repoView } from '../../../src/http/operations/views.js';
import type { RepoDetails } from '../../../src/records/row-records.js';
import { aDraft, aPullRequest, aRepo, aScan, aUser, dataset } from '../../_data.js';

const rowsOf = (owner: string) =>
  dataset({
    user: aUser('kim'),
    repos: [aRepo('web', { owner })],
    scans: [aScan('s', 'web')],
    fixDrafts: [aDraft('d', 'web')],
    pullRequests: [aPullRequest('p', 'd')],
  });

const detailsOf = (owner: string, over: Partial<RepoDetails> = {}): readonly RepoDetails[] =>
  rowsOf(owner).repos.map((repo) => ({
    repo,
    lastScan: null,
    openPrCount: 0,
    openFixDraftId: null,
    openAdvisoryCount: 0,
    ...over,
  }));

test('a finding in a list is its draft, and alone it also has prCount', (t) => {
  for (const draft of rowsOf('acme').fixDrafts) {
    t.deepEqual(findingView(draft), draft);
    const view = findingDetailView({ draft, prCount: 3 });
    t.deepEqual<unknown, unknown>(view, { ...draft, prCount: 3 });
    t.true(FindingDetail.is(view));
  }
});

test('a pull request has the id and the package of its draft, and the name of its repository', (t) => {
  const { repos, fixDrafts, pullRequests } = rowsOf('acme');
  for (const [i, pullRequest] of pullRequests.entries()) {
    const [repo, draft] = [repos[i], fixDrafts[i]];
    if (repo === undefined || draft === undefined) return t.fail('rows are missing');
    const view = prView({ pullRequest, draft, repo });
    t.deepEqual(
      [view.id, view.repoId, view.repo, view.advisoryId, view.package, view.branch],
      ['d', 'web', { owner: 'acme', repo: 'web' }, 'GHSA-35jh-r3h4-6jhm', 'lodash', 'triage/lodash-4.17.21'],
    );
    t.false('draftId' in view);
    t.true(Pr.is(view));
  }
});

test('a repository with a last scan and open pull requests', (t) => {
  const [lastScan = null] = rowsOf('acme').scans;
  const over = { lastScan, openPrCount: 2, openFixDraftId: 'd', openAdvisoryCount: 1 };
  for (const details of detailsOf('acme', over)) {
    const view = repoView(details, '1 hour ago');
    t.deepEqual(
      [view.lastScanAt, view.lastScanRelative, view.hasOpenFixPr, view.openFixDraftId],
      ['2026-11-20T11:00:00.000Z', '1 hour ago', true, 'd'],
    );
    t.is(view.lastScan?.id, 's');
    t.false('repoId' in Object(view.lastScan));
    t.true(Repo.is(view));
  }
});

test('a repository without a scan or a pull request', (t) => {
  for (const details of detailsOf('acme')) {
    const view = repoView(details, 'never');
    t.deepEqual(
      [view.lastScan, view.lastScanAt, view.lastScanRelative, view.hasOpenFixPr, view.openFixDraftId],
      [null, null, 'never', false, null],
    );
    t.true(Repo.is(view));
  }
});

for (const [owner, initial] of [
  ['acme', 'A'],
  ['émile', 'É'],
  ['株式会社', '株'],
  ['🦊fox', '🦊'],
  ['', ''],
] as const) {
  test(`the owner "${owner}" has the initial "${initial}"`, (t) => {
    t.deepEqual(
      detailsOf(owner).map((details) => repoView(details, 'never').ownerInitial),
      [initial],
    );
  });
}
