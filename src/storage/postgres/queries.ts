import { Text } from '../../codecs/text.js';
import type { PrStatus } from '../../contract/enums.js';
import type { FixDraftDetails, PullRequestDetails, RepoDetails } from '../../records/details.js';
import type { FixDraftRecord } from '../../records/fix-draft.js';
import type { PresentedCredentials, Range } from '../port.js';
import type { Statement } from './database.js';
import {
  columns,
  decodeFixDraftDetails,
  decodeFixDrafts,
  decodePullRequests,
  decodeRepos,
  type RowsDecoder,
  storedTime,
} from './stored-records.js';

// The reads of the API. Each is one statement of four steps, which are executed in this order, because each one
// needs what the one before returns:
//
// - `caller`: who asks. It also sets the tenant that row-level security compares rows with. Every table is read
//   in a LATERAL subquery of its own that names the caller's id and that PostgreSQL cannot merge into the
//   statement around it: so none is read before the tenant is set. If one were, its policy would raise an error.
// - `total` and `page`, in either order: how many rows the whole list has, and the rows that are sent, numbered.
// - `version`: a hash over the content of these rows and the total.
//
// The rows are sent as JSON, unless the program has this version already.

/** The values of a statement by the names that its text has for them. */
type Values = Readonly<Record<string, Statement['values'][number]>>;

/** A read of one tenant's data, with values for the names in its text. */
export type TenantQuery<Row> = Readonly<{ read: Read; values: Values; decodeRows: RowsDecoder<Row> }>;

/** A read as statements, and their name as prepared ones. */
type Read = Readonly<{ name: string; byCredentials: Numbered; byTenant: Numbered }>;

/** A text with numbers for values, and the names that these had. */
type Numbered = Readonly<{ text: string; names: readonly string[] }>;

/** PostgreSQL numbers values (`$1`); the texts of this file name them (`$limit`). */
const numbered = (text: string): Numbered => {
  const names = [...new Set(Array.from(text.matchAll(/\$([a-z]+)/g), ([, name = '']) => name))];
  return { text: text.replaceAll(/\$([a-z]+)/g, (_, name: string) => `$${names.indexOf(name) + 1}`), names };
};

const bind = ({ text, names }: Numbered, values: Values): Statement => ({
  text,
  values: names.map((name) => values[name] ?? null),
});

/** How a statement knows who asks, and names this tenant in its conditions. */
type Scope = Readonly<{ caller: string; tenant: string }>;

/** The statement resolves the credentials itself. */
const credentialsScope: Scope = {
  caller: `SELECT set_config('triage.user_id', c.user_id, true) AS user_id, c.use_due
    FROM triage.caller_of($session, $token, $at) c`,
  tenant: 'caller.user_id',
};

/** The tenant is a parameter in every condition: Citus sends such a statement to one worker as a whole. */
const tenantScope: Scope = {
  caller: 'SELECT $tenant::text AS user_id, false AS use_due',
  tenant: '$tenant',
};

/** How many rows a part of the result has at most: each part is decoded without a pause. */
const rowsPerPart = 200;

/** A read of these steps, whose rows have the columns `shown`. */
const read = (name: string, shown: string, steps: (tenant: string) => string): Read => {
  const inScope = ({ caller, tenant }: Scope): Numbered => numbered(readText(caller, steps(tenant), shown));
  return { name, byCredentials: inScope(credentialsScope), byTenant: inScope(tenantScope) };
};

const readText = (caller: string, steps: string, shown: string): string => `
WITH caller AS MATERIALIZED (${caller}),
${steps},
version AS MATERIALIZED (
  SELECT hash_array_extended(
    array_agg(hash_record_extended(page, 0) ORDER BY number) || (SELECT n FROM total), 0) AS hash
  FROM page
)
SELECT caller.user_id AS "userId", caller.use_due AS "useDue", total.n AS total, version.hash AS version, part.rows
FROM caller CROSS JOIN total CROSS JOIN version
LEFT JOIN LATERAL (
  SELECT (number - 1) / ${rowsPerPart} AS place,
    json_agg((SELECT shown FROM (SELECT ${shown}) shown) ORDER BY number)::text AS rows
  FROM page WHERE version.hash IS DISTINCT FROM $known::bigint GROUP BY place
) part ON true
ORDER BY part.place`;

/**
 * One page of a list. The index of the list alone has the ids of its rows in order; then each row is looked up.
 * Beyond the total, nothing is walked.
 */
const pageSteps = (
  tenant: string,
  list: Readonly<{ table: string; filter: string; at: string; row: string; joins: string }>,
): string => `
total AS MATERIALIZED (
  SELECT t.n FROM caller
  CROSS JOIN LATERAL (SELECT count(*) AS n FROM ${list.table} WHERE user_id = ${tenant}${list.filter}) t
),
page AS MATERIALIZED (
  SELECT row_number() OVER (ORDER BY r.${list.at} DESC, r.id) AS number, ${list.row}
  FROM caller CROSS JOIN total
  CROSS JOIN LATERAL (
    SELECT id FROM ${list.table} WHERE user_id = ${tenant}${list.filter} ORDER BY ${list.at} DESC, id
    OFFSET $offset::bigint LIMIT CASE WHEN $offset::bigint < total.n THEN $limit::bigint ELSE 0 END
  ) place
  CROSS JOIN LATERAL (SELECT * FROM ${list.table} WHERE user_id = ${tenant} AND id = place.id LIMIT 1) r
  ${list.joins}
)`;

type Filter = Readonly<{ repoId: string | undefined }>;

const findingsOf = (name: string, filter: string): Read =>
  read(name, columns.fixDraft, (tenant) =>
    pageSteps(tenant, { table: 'triage.fix_drafts', filter, at: 'discovered_at', row: 'r.*', joins: '' }),
  );

const allFindings = findingsOf('findings', '');
const findingsOfRepo = findingsOf('findings of a repository', ' AND repo_id = $repo');

/** A page of findings (contract, section 4.2). */
export const findingsQuery = ({ repoId, offset, limit }: Range & Filter): TenantQuery<FixDraftRecord> => ({
  read: repoId === undefined ? allFindings : findingsOfRepo,
  values: { offset, limit, repo: repoKey(repoId) },
  decodeRows: decodeFixDrafts,
});

const prsOf = (name: string, filter: string): Read =>
  read(name, columns.pullRequest, (tenant) =>
    pageSteps(tenant, {
      table: 'triage.pull_requests',
      filter,
      at: 'created_at',
      row: 'r.*, d.advisory_id, d.package, o.owner AS repo_owner, o.repo AS repo_name',
      joins: `CROSS JOIN LATERAL (
    SELECT advisory_id, package FROM triage.fix_drafts WHERE user_id = ${tenant} AND id = r.draft_id LIMIT 1) d
  CROSS JOIN LATERAL (
    SELECT owner, repo FROM triage.repos WHERE user_id = ${tenant} AND id = r.repo_id LIMIT 1) o`,
    }),
  );

const allPrs = prsOf('pull requests', '');
const prsOfRepo = prsOf('pull requests of a repository', ' AND repo_id = $repo');
const prsOfStatus = prsOf('pull requests of a status', ' AND pr_status = $status');
const prsOfRepoAndStatus = prsOf(
  'pull requests of a repository and a status',
  ' AND repo_id = $repo AND pr_status = $status',
);

/** A page of pull requests, with what it shows of their drafts and repositories (contract, section 4.4). */
export const prsQuery = ({
  repoId,
  status,
  offset,
  limit,
}: Range & Filter & Readonly<{ status: PrStatus | undefined }>): TenantQuery<PullRequestDetails> => {
  const ofAll = status === undefined ? allPrs : prsOfStatus;
  const ofOne = status === undefined ? prsOfRepo : prsOfRepoAndStatus;
  return {
    read: repoId === undefined ? ofAll : ofOne,
    values: { offset, limit, repo: repoKey(repoId), status: status ?? null },
    decodeRows: decodePullRequests,
  };
};

/** One finding with the number of its pull requests (contract, section 4.3). */
export const findingQuery = (id: string): TenantQuery<FixDraftDetails> => ({
  read: finding,
  values: { id: searchKey(id) },
  decodeRows: decodeFixDraftDetails,
});

const finding = read(
  'finding',
  columns.fixDraftDetails,
  (tenant) => `
page AS MATERIALIZED (
  SELECT 1::bigint AS number, d.*, p.n AS pr_count FROM caller
  CROSS JOIN LATERAL (SELECT * FROM triage.fix_drafts WHERE user_id = ${tenant} AND id = $id LIMIT 1) d
  CROSS JOIN LATERAL (
    SELECT count(*) AS n FROM triage.pull_requests
    WHERE user_id = ${tenant} AND repo_id = d.repo_id AND draft_id = d.id) p
),
total AS MATERIALIZED (SELECT count(*) AS n FROM page)`,
);

const repos = read(
  'repositories',
  columns.repo,
  (tenant) => `
open_advisories AS MATERIALIZED (
  SELECT a.repo_id, a.n FROM caller CROSS JOIN LATERAL (
    SELECT repo_id, count(*) AS n FROM (
      SELECT DISTINCT repo_id, advisory_id FROM triage.fix_drafts
      WHERE user_id = ${tenant} AND status <> 'resolved') d
    GROUP BY repo_id) a
),
page AS MATERIALIZED (
  SELECT row_number() OVER (ORDER BY s.started_at DESC NULLS LAST, r.id) AS number, r.*, s.last_scan,
    p.n AS open_pr_count, o.draft_id AS open_fix_draft_id, coalesce(a.n, 0) AS open_advisory_count
  FROM caller
  CROSS JOIN LATERAL (SELECT * FROM triage.repos WHERE user_id = ${tenant} OFFSET 0) r
  LEFT JOIN LATERAL (
    SELECT started_at, (SELECT to_jsonb(scan) FROM (SELECT ${columns.scan}) scan) AS last_scan
    FROM triage.scans WHERE user_id = ${tenant} AND repo_id = r.id
    ORDER BY started_at DESC, id DESC LIMIT 1) s ON true
  CROSS JOIN LATERAL (
    SELECT count(*) AS n FROM triage.pull_requests
    WHERE user_id = ${tenant} AND repo_id = r.id AND pr_status = 'open') p
  LEFT JOIN LATERAL (
    SELECT draft_id FROM triage.pull_requests
    WHERE user_id = ${tenant} AND repo_id = r.id AND pr_status = 'open'
    ORDER BY updated_at DESC, id LIMIT 1) o ON true
  LEFT JOIN open_advisories a ON a.repo_id = r.id
),
total AS MATERIALIZED (SELECT count(*) AS n FROM page)`,
);

/** All repositories with what is derived for each (contract, section 4.1). */
export const reposQuery: TenantQuery<RepoDetails> = { read: repos, values: {}, decodeRows: decodeRepos };

/**
 * A text from a request, as a parameter of a query. PostgreSQL refuses text with U+0000, so nothing stored
 * contains it; such text is replaced by the empty string, which is no stored key either.
 */
export const searchKey = (text: string): string => (Text.is(text) ? text : '');

const repoKey = (repoId: string | undefined): string | null =>
  repoId === undefined ? null : searchKey(repoId);

const credentialValues = ({ session, apiToken, at }: PresentedCredentials): Values => ({
  session,
  token: apiToken,
  at: storedTime(at),
});

/**
 * A read that resolves the credentials as well. `known` is the version of the result that the program has:
 * without a change since, the rows are left out. No row: invalid credentials.
 */
export const readByCredentials = (
  credentials: PresentedCredentials,
  known: string | null,
  { read: { name, byCredentials }, values }: AnyQuery,
): Statement => ({ name, ...bind(byCredentials, { ...credentialValues(credentials), known, ...values }) });

/** The same read for a tenant whose credentials have been resolved. */
export const readByTenant = (
  tenant: string,
  known: string | null,
  { read: { name, byTenant }, values }: AnyQuery,
): Statement => ({ name, ...bind(byTenant, { tenant, known, ...values }) });

/** A query, whatever its rows are. */
export type AnyQuery = Pick<TenantQuery<unknown>, 'read' | 'values'>;

const callerText = numbered(
  'SELECT user_id AS "userId", use_due AS "useDue" FROM triage.caller_of($session, $token, $at)',
);

/**
 * Resolves credentials to a user, and says whether the use of the token must be recorded. No row: invalid
 * credentials.
 */
export const callerStatement = (credentials: PresentedCredentials): Statement =>
  bind(callerText, credentialValues(credentials));
