import type { FixDraftRecord, PullRequestRecord, ScanRecord } from '../src/api/row-records.js';
import { groupBy } from '../src/common/sort-and-group.js';
import type { Dataset } from '../src/fixtures/dataset.js';
import { rules } from './_believable-rules.js';

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
