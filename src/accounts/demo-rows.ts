import * as t from 'io-ts';
import type { TenantRows } from '../api/row-records.js';
import { compareCodePoints } from '../common/sort-and-group.js';
import type { UserRecord } from './account-records.js';
import { newId } from './sessions-and-tokens.js';

/** The rows of a new account: a template under fresh ids, with every repository marked as a demo row. */
export const demoRows = (template: TenantRows): TenantRows => {
  const { repos, ...others } = freshRows(template);
  return { ...others, repos: repos.map((repo) => ({ ...repo, isDemoRow: true })) };
};

/** The same rows under fresh ids in the same order, on which lists depend where all else is equal. */
export const freshRows = ({ repos, scans, fixDrafts, pullRequests }: TenantRows): TenantRows => {
  const repoId = freshIds('repo', repos);
  const scanId = freshIds('scan', scans);
  const draftId = freshIds('fix', fixDrafts);
  const prId = freshIds('pr', pullRequests);
  return {
    repos: repos.map((row) => ({ ...row, id: repoId(row.id) })),
    scans: scans.map((row) => ({ ...row, id: scanId(row.id), repoId: repoId(row.repoId) })),
    fixDrafts: fixDrafts.map((row) => ({ ...row, id: draftId(row.id), repoId: repoId(row.repoId) })),
    pullRequests: pullRequests.map((row) => ({ ...row, id: prId(row.id), draftId: draftId(row.draftId) })),
  };
};

/** Maps ids to fresh ones, any other to itself. One random part for all is much faster than one for each. */
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

/** The rows of a tenant, which a visitor may choose for a new account instead of the usual demo rows. */
export type Persona = Readonly<{
  name: string;
  repos: number;
  findings: number;
  /** The rows, dated for the given moment. */
  rows: (now: number) => TenantRows;
}>;

/** Which personas visitors may choose now; null: the operator allows none, and sign-up has no such field. */
export type Personas = () => readonly Persona[] | null;

/**
 * The field in which visitors name a persona. Null: the usual demo rows, for a field that is left out, null
 * or empty, and for any value if no persona may be named.
 */
export const personaField = (allowed: readonly Persona[] | null): t.Type<Persona | null, unknown, unknown> =>
  new t.Type<Persona | null, unknown, unknown>(
    allowed === null || allowed.length === 0
      ? 'nothing, as there is no persona to choose now'
      : `the name of a persona (${allowed.map(({ name }) => name).join(', ')}), or nothing`,
    (u): u is Persona | null => u === null || (allowed ?? []).some((persona) => persona === u),
    (u, c) => {
      if (allowed === null || u === undefined || u === null || u === '') return t.success(null);
      const choice = allowed.find(({ name }) => name === u);
      return choice === undefined ? t.failure(u, c) : t.success(choice);
    },
    t.identity,
  );

/** An account of the fixtures, as the pages offer it to visitors. */
export type DemoAccount = Pick<UserRecord, 'id' | 'email' | 'name'> &
  Readonly<{
    /** Null: the pages must not show it. */
    password: string | null;
    /** What the tenant is for: a sentence or two. */
    purpose: string;
    repos: number;
    findings: number;
    openPrs: number;
  }>;

/** The accounts of the fixtures, of which visitors may use some without knowing a password. */
export type DemoAccounts = Readonly<{
  /** The first ones: a page shows no more. */
  shown: readonly DemoAccount[];
  total: number;
  /**
   * The account with this id, e-mail address or name of its fixture, and a session if the fixture has one;
   * null: there is no such account.
   */
  find: (account: string) => (Pick<UserRecord, 'id' | 'email'> & Readonly<{ session?: string }>) | null;
  /** Whether everyone knows them, as they come with the package. Others are open only on this machine. */
  areShipped: boolean;
  /** Whether nobody else sees them either, not even with their passwords. */
  areLocal?: true;
}>;

export const noDemoAccounts: DemoAccounts = { shown: [], total: 0, find: () => null, areShipped: false };
