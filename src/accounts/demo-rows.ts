import type { TenantRows } from '../records/dataset.js';
import { newId } from './secrets.js';

/** Rows to begin with, as they should look at the moment of signing up. */
export type DemoTemplate = TenantRows;

/**
 * The rows that a new account begins with: those of the template, under ids that nobody has had before, their references
 * along with them, and every repository marked as a demo row.
 */
export const demoRows = (template: DemoTemplate): TenantRows => {
  const repoId = renamed('repo', template.repos);
  const draftId = renamed('fix', template.fixDrafts);
  return {
    repos: template.repos.map((repo) => ({ ...repo, id: repoId(repo.id), isDemoRow: true })),
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

/** From the ids of some rows to new ones; an id that none of them has stays as it is. */
const renamed = (kind: string, rows: readonly Readonly<{ id: string }>[]): ((id: string) => string) => {
  const ids = new Map(rows.map(({ id }) => [id, newId(kind)]));
  return (id) => ids.get(id) ?? id;
};
