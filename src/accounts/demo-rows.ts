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

/** The same rows under fresh ids, with their references adjusted. */
export const freshRows = (template: TenantRows): TenantRows => {
  const repoId = freshIds('repo', template.repos);
  const draftId = freshIds('fix', template.fixDrafts);
  return {
    repos: template.repos.map((repo) => ({ ...repo, id: repoId(repo.id) })),
    scans: template.scans.map((scan) => ({ ...scan, id: newId('scan'), repoId: repoId(scan.repoId) })),
    fixDrafts: template.fixDrafts.map((draft) => ({
      ...draft,
      id: draftId(draft.id),
      repoId: repoId(draft.repoId),
    })),
    pullRequests: template.pullRequests.map((pr) => ({
      ...pr,
      id: newId('pr'),
      draftId: draftId(pr.draftId),
    })),
  };
};

/** Maps the ids of some rows to fresh ones; any other id stays as it is. */
const freshIds = (kind: string, rows: readonly Readonly<{ id: string }>[]): ((id: string) => string) => {
  const ids = new Map(rows.map(({ id }) => [id, newId(kind)]));
  return (id) => ids.get(id) ?? id;
};
