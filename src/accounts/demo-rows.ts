import { compareCodePoints } from '../common/sort-and-group.js';
import type { TenantRows } from '../records/dataset.js';
import { newId } from './secrets.js';

/** The rows that a new account starts with, dated for the moment of signing up. */
export type DemoTemplate = TenantRows;

/**
 * The rows of a new account: those of the template under fresh ids, with their references adjusted and every
 * repository marked as a demo row.
 */
export const demoRows = (template: DemoTemplate): TenantRows => {
  const { repos, ...others } = freshRows(template);
  return { ...others, repos: repos.map((repo) => ({ ...repo, isDemoRow: true })) };
};

/**
 * The same rows under fresh ids, with their references adjusted. Lists keep their order: it depends on ids
 * where all else is equal.
 */
export const freshRows = ({ repos, scans, fixDrafts, pullRequests }: TenantRows): TenantRows => {
  const repoId = freshIds('repo', repos);
  const scanId = freshIds('scan', scans);
  const draftId = freshIds('fix', fixDrafts);
  const prId = freshIds('pr', pullRequests);
  return {
    repos: repos.map((repo) => ({ ...repo, id: repoId(repo.id) })),
    scans: scans.map((scan) => ({ ...scan, id: scanId(scan.id), repoId: repoId(scan.repoId) })),
    fixDrafts: fixDrafts.map((draft) => ({
      ...draft,
      id: draftId(draft.id),
      repoId: repoId(draft.repoId),
    })),
    pullRequests: pullRequests.map((pr) => ({
      ...pr,
      id: prId(pr.id),
      draftId: draftId(pr.draftId),
    })),
  };
};

/**
 * Maps the ids of some rows to fresh ones in the same order; any other id stays as it is. A random part for
 * all of them is enough, and much faster than one for each.
 */
const freshIds = (kind: string, rows: readonly Readonly<{ id: string }>[]): ((id: string) => string) => {
  const prefix = newId(kind);
  const width = String(rows.length).length;
  const ids = new Map(
    rows
      .map(({ id }) => id)
      .sort(compareCodePoints)
      .map((id, index) => [id, `${prefix}_${String(index + 1).padStart(width, '0')}`]),
  );
  return (id) => ids.get(id) ?? id;
};
