import type { FixDraftRecord, PullRequestRecord, ScanRecord } from '../src/api/row-records.js';
import { groupBy } from '../src/common/sort-and-group.js';
import { advisories } from '../src/fixtures/advisories.js';
import type { Dataset } from '../src/fixtures/dataset.js';

const facts = groupBy(
  advisories,
  (fact) => `${fact.advisoryId} ${fact.ecosystem} ${fact.package} ${fact.vulnerableRange}`,
);

/** The published range that a finding is about. */
const factOf = (draft: FixDraftRecord) =>
  facts.get(`${draft.advisoryId} ${draft.ecosystem} ${draft.package} ${draft.vulnerableRange}`)?.[0];

/** Compares two versions by their numbers. */
const compareVersions = (left: string, right: string): number => {
  const numbers = (version: string) => version.split(/[.-]/).map(Number);
  const [l, r] = [numbers(left), numbers(right)];
  const different = l.findIndex((number, index) => number !== (r[index] ?? 0));
  return different < 0 ? l.length - r.length : (l[different] ?? 0) - (r[different] ?? 0);
};

const isVulnerable = (version: string, { vulnerableRange }: FixDraftRecord): boolean => {
  const [, first = '0', , end = ''] = /^(?:>= ([^,]+), )?(< (.+))$/.exec(vulnerableRange) ?? [];
  return compareVersions(version, first) >= 0 && compareVersions(version, end) < 0;
};

const inOrder = (...moments: readonly (string | null)[]): boolean => {
  const known = moments.filter((moment) => moment !== null);
  return known.every((moment, index) => index === 0 || (known[index - 1] ?? '') <= moment);
};

const isResolved = ({ status }: FixDraftRecord): boolean => status === 'resolved';
const isMerged = ({ prState }: PullRequestRecord): boolean => prState === 'merged';
const isOver = ({ prState }: PullRequestRecord): boolean =>
  ['merged', 'closed', 'cancelled'].includes(prState ?? '');

/** What a scan must have seen: the findings that were known at its end and not resolved at its start. */
const seenBy = ({ startedAt, finishedAt }: ScanRecord, drafts: readonly FixDraftRecord[]) =>
  drafts.filter(
    ({ discoveredAt, reconciledAt }) =>
      discoveredAt <= finishedAt && (reconciledAt === null || reconciledAt >= startedAt),
  );

/** What holds of data that is true to life. */
const rules: readonly Rule[] = [
  [
    'a scan has started, then finished, and is not still running',
    ({ scans, asOf }) =>
      scans.filter(
        (scan) =>
          !inOrder(scan.startedAt, scan.finishedAt, asOf) || /running|queued|progress/i.test(scan.status),
      ),
  ],
  [
    'a scan has an error unless it was completed, and has seen nothing if it failed',
    ({ scans }) =>
      scans.filter(
        ({ status, error, findingsSeen }) =>
          (status === 'completed') !== (error === null) || (status === 'failed' && findingsSeen > 0),
      ),
  ],
  [
    'a scan has seen the findings that there were, and opened a draft for each new one',
    ({ repos, scansOf, draftsIn }) =>
      repos.flatMap(({ id }) => {
        const worked = scansOf(id).filter(({ status }) => status !== 'failed');
        return worked.filter((scan, index) => {
          const seen = seenBy(scan, draftsIn(id));
          const before = worked[index - 1]?.finishedAt ?? '';
          const opened = seen.filter(({ discoveredAt }) => discoveredAt > before);
          return scan.findingsSeen !== seen.length || scan.draftsOpened !== opened.length;
        });
      }),
  ],
  [
    'a finding was discovered before the end of a scan',
    ({ fixDrafts, scansOf }) =>
      fixDrafts.filter(
        ({ repoId, discoveredAt }) =>
          !scansOf(repoId).some((scan) => scan.status !== 'failed' && discoveredAt <= scan.finishedAt),
      ),
  ],
  [
    'badge and status of a repository agree with its last scan and its findings',
    ({ repos, scansOf, draftsIn, pullRequestsOf }) =>
      repos.filter(({ id, scanStatusBadge, status }) => {
        const last = scansOf(id).at(-1)?.status ?? 'never';
        const left = draftsIn(id).filter((draft) => !isResolved(draft));
        const hasOpen = left.some((draft) => pullRequestsOf(draft).some(({ prState }) => prState === 'open'));
        return (
          (scanStatusBadge === 'failed') !== (last === 'failed') ||
          (scanStatusBadge === 'partial') !== (last === 'partial') ||
          (scanStatusBadge === 'never_scanned' && last !== 'never') ||
          (status === 'not_scanned') !== (last === 'never') ||
          ((scanStatusBadge === 'healthy' || status === 'clear') && left.length > 0) ||
          (scanStatusBadge === 'attention' && left.length === 0) ||
          (status === 'fix_open' && !hasOpen)
        );
      }),
  ],
  [
    'the dates of a finding are in order',
    ({ fixDrafts, asOf }) =>
      fixDrafts.filter((draft) => !inOrder(draft.discoveredAt, draft.updatedAt, draft.reconciledAt, asOf)),
  ],
  [
    'a finding is resolved, reconciled and passing exactly when a pull request was merged',
    ({ fixDrafts, pullRequestsOf }) =>
      fixDrafts.filter((draft) => {
        const wasMerged = pullRequestsOf(draft).some(isMerged);
        const isPassing = draft.ciStatus === 'passing';
        const isReconciled = draft.reconciledAt !== null;
        return isResolved(draft) !== wasMerged || isReconciled !== wasMerged || (wasMerged && !isPassing);
      }),
  ],
  [
    'a pending finding has no pull request that is under way, and so no result of CI',
    ({ fixDrafts, pullRequestsOf }) =>
      fixDrafts.filter(
        (draft) =>
          draft.status === 'pending' &&
          (draft.ciStatus !== 'none' ||
            !pullRequestsOf(draft).every(({ prState }) => prState === 'cancelled')),
      ),
  ],
  [
    'advisory, package, ranges and severity are those of the public record',
    ({ fixDrafts }) =>
      fixDrafts.filter((draft) => {
        const fact = factOf(draft);
        return (
          fact?.severity !== draft.severity ||
          fact.fixedRange !== draft.fixedRange ||
          fact.publishedOn > draft.discoveredAt
        );
      }),
  ],
  [
    'reachability and exploit signal lie within 0 and 1',
    ({ fixDrafts }) =>
      fixDrafts.filter((d) => [d.reachability, d.exploitSignal].some((score) => score < 0 || score > 1)),
  ],
  [
    'the dates of a pull request are in order, and it comes after its finding',
    ({ pullRequests, draftOf, asOf }) =>
      pullRequests.filter((pullRequest) => {
        const { createdAt, updatedAt, reconciledAt } = pullRequest;
        const draft = draftOf(pullRequest);
        return (
          !inOrder(draft?.discoveredAt ?? '9', createdAt, updatedAt, reconciledAt, asOf) ||
          createdAt > (draft?.updatedAt ?? '')
        );
      }),
  ],
  [
    'a pull request is reconciled when it is over; its CI then runs no more, and has passed if it was merged',
    ({ pullRequests }) =>
      pullRequests.filter(
        (pullRequest) =>
          isOver(pullRequest) !== (pullRequest.reconciledAt !== null) ||
          (isOver(pullRequest) && pullRequest.ciStatus === 'running') ||
          (isMerged(pullRequest) && pullRequest.ciStatus !== 'passing'),
      ),
  ],
  [
    'a pull request leads from a vulnerable version to the fixed one, in its repository',
    ({ pullRequests, draftOf, repos }) =>
      pullRequests.filter((pullRequest) => {
        const draft = draftOf(pullRequest);
        const repo = repos.find(({ id }) => id === draft?.repoId);
        return (
          draft === undefined ||
          !isVulnerable(pullRequest.fromVersion, draft) ||
          pullRequest.toVersion !== factOf(draft)?.fixedVersion ||
          !pullRequest.prUrl.startsWith(`https://github.example/${repo?.owner}/${repo?.repo}/pull/`) ||
          pullRequest.hasCodemod !== (pullRequest.codemodSummary !== '')
        );
      }),
  ],
];

/** A statement about data that is true to life, and the rows of which it does not hold. */
export type Rule = readonly [what: string, exceptions: (world: World) => readonly Readonly<{ id: string }>[]];

/** A tenant whose rows are found by what they belong to. */
export type World = Omit<Dataset, 'asOf'> &
  Readonly<{
    /** The moment at which the data is looked at. */
    asOf: string;
    pullRequestsOf: (draft: FixDraftRecord) => readonly PullRequestRecord[];
    draftOf: (pullRequest: PullRequestRecord) => FixDraftRecord | undefined;
    draftsIn: (repoId: string) => readonly FixDraftRecord[];
    /** Of a repository, in the order in which they started. */
    scansOf: (repoId: string) => readonly ScanRecord[];
  }>;

/** The statements that do not hold of a tenant, each with rows. `isHeld`: which repositories are judged. */
export const unbelievable = (dataset: Dataset, isHeld: (repoId: string) => boolean = () => true) => {
  const drafts = dataset.fixDrafts.filter(({ repoId }) => isHeld(repoId));
  const byId = new Map(drafts.map((draft) => [draft.id, draft]));
  const pullRequests = dataset.pullRequests.filter(({ draftId }) => byId.has(draftId));
  const scans = dataset.scans.filter(({ repoId }) => isHeld(repoId));
  const byDraft = groupBy(pullRequests, ({ draftId }) => draftId);
  const byRepo = groupBy(drafts, ({ repoId }) => repoId);
  const scansByRepo = groupBy(scans, ({ repoId }) => repoId);
  const world: World = {
    ...dataset,
    asOf: dataset.asOf ?? '',
    repos: dataset.repos.filter(({ id }) => isHeld(id)),
    scans,
    fixDrafts: drafts,
    pullRequests,
    pullRequestsOf: ({ id }) => byDraft.get(id) ?? [],
    draftOf: ({ draftId }) => byId.get(draftId),
    draftsIn: (repoId) => byRepo.get(repoId) ?? [],
    scansOf: (repoId) =>
      [...(scansByRepo.get(repoId) ?? [])].sort((l, r) => (l.startedAt < r.startedAt ? -1 : 1)),
  };
  return rules.flatMap(([what, exceptions]) => {
    const ids = exceptions(world).map(({ id }) => id);
    return ids.length === 0 ? [] : [`not so: ${what}: ${ids.slice(0, 5).join(', ')}`];
  });
};
