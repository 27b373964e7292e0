import type { FixDraftDetails, FixDraftRecord, PullRequestDetails, RepoDetails } from '../api/row-records.js';
import type { PresentedCredentials, Range, Version } from '../api/storage-port.js';
import { Text } from '../contract/codecs/text-and-numbers.js';
import type { PrStatus } from '../contract/enums.js';
import type { Statement } from './database.js';
import {
  fixDraftDetails,
  fixDrafts,
  pullRequests,
  repos,
  type StoredRows,
  scanColumns,
  storedTime,
} from './stored-records.js';

// The reads of the API. Each is one statement of four steps, which are executed in this order, because each
// one needs what the one before returns:
//
// - `caller`: who asks. It also sets the tenant that row-level security compares rows with. Every table is
//   read in a LATERAL subquery of its own that names the caller's id and that PostgreSQL cannot merge into
//   the statement around it: so none is read before the tenant is set. If one were, its policy would raise an
//   error.
// - `total` and `page`, in either order: how many rows the whole list has, and the rows that are sent,
//   numbered.
// - `version`: a hash over the content of these rows, the total and the caller's id.
//
// The rows are sent as JSON, unless the program has this version already. Texts have names for values, such
// as `$limit`, and `$tenant` for the id of the caller.

/** The values of a statement by their names. */
type Values = Readonly<Record<string, Statement['values'][number]>>;

/** A statement under a name, of a text whose values have names instead of PostgreSQL's numbers (`$1`). */
const statement = (name: string, template: string): ((values: Values) => Statement) => {
  const names = [...new Set(Array.from(template.matchAll(/\$([a-z]+)/g), ([, value = '']) => value))];
  const text = template.replaceAll(/\$([a-z]+)/g, (_, value: string) => `$${names.indexOf(value) + 1}`);
  return (values) => ({ name, text, values: names.map((each) => values[each] ?? null) });
};

/** A read of one tenant's data. Rows of the `knownVersion` are left out of what its statements return. */
export type TenantQuery<Row> = Readonly<{
  name: string;
  rows: StoredRows<Row>;
  values: Values;
  /** Resolves credentials as well. No row: bad credentials. */
  byCredentials: (credentials: PresentedCredentials, knownVersion?: Version) => Statement;
  /** For a tenant whose credentials have been resolved. */
  byTenant: (tenant: string, knownVersion?: Version) => Statement;
}>;

/** How many rows a part of the result has at most: each part is decoded without a pause. */
const rowsPerPart = 200;

const read = <Row>(name: string, rows: StoredRows<Row>, steps: string) => {
  const text = `
WITH caller AS MATERIALIZED ($caller),
${steps},
version AS MATERIALIZED (
  SELECT hash_array_extended(
    array_agg(hash_record_extended(page, 0) ORDER BY number)
      || (SELECT n FROM total) || (SELECT hashtextextended(user_id, 0) FROM caller), 0)::text AS hash
  FROM page
)
SELECT caller.user_id AS "userId", caller.use_due AS "useDue", total.n AS total, version.hash AS version, part.rows
FROM caller CROSS JOIN total CROSS JOIN version
LEFT JOIN LATERAL (
  SELECT (number - 1) / ${rowsPerPart} AS place,
    json_agg((SELECT shown FROM (SELECT ${rows.columns}) shown) ORDER BY number)::text AS rows
  FROM page WHERE version.hash IS DISTINCT FROM $known GROUP BY place
) part ON true
ORDER BY part.place`;
  const callerOf = `SELECT set_config('triage.user_id', c.user_id, true) AS user_id, c.use_due
  FROM triage.caller_of($session, $token, $at) c`;
  const ofCaller = text.replaceAll('$tenant', 'caller.user_id').replace('$caller', callerOf);
  const byCredentials = statement(name, ofCaller);
  // With the tenant in every condition, Citus sends the whole statement to one worker.
  const ofTenant = text.replace('$caller', 'SELECT $tenant::text AS user_id, false AS use_due');
  const byTenant = statement(name, ofTenant);
  return (values: Values): TenantQuery<Row> => ({
    name,
    rows,
    values,
    byCredentials: (credentials, knownVersion = '') =>
      byCredentials({ ...credentialValues(credentials), known: searchKey(knownVersion), ...values }),
    byTenant: (tenant, knownVersion = '') => byTenant({ tenant, known: searchKey(knownVersion), ...values }),
  });
};

/** A page in the order of times: ids from an index alone, then rows. Beyond the total, nothing is walked. */
const pageOf = (table: string, at: string, filter: string, columns = 'r.*', joins = ''): string => `
total AS MATERIALIZED (
  SELECT t.n FROM caller
  CROSS JOIN LATERAL (SELECT count(*) AS n FROM ${table} WHERE user_id = $tenant${filter}) t
),
page AS MATERIALIZED (
  SELECT row_number() OVER (ORDER BY r.${at} DESC, r.id) AS number, ${columns}
  FROM caller CROSS JOIN total
  CROSS JOIN LATERAL (
    SELECT id FROM ${table} WHERE user_id = $tenant${filter} ORDER BY ${at} DESC, id
    OFFSET $offset::bigint LIMIT CASE WHEN $offset::bigint < total.n THEN $limit::bigint ELSE 0 END
  ) place
  CROSS JOIN LATERAL (SELECT * FROM ${table} WHERE user_id = $tenant AND id = place.id LIMIT 1) r
  ${joins}
)`;

const ofRepo = ' AND repo_id = $repo';
const ofStatus = ' AND pr_status = $status';

const findings = (name: string, filter: string) =>
  read(name, fixDrafts, pageOf('triage.fix_drafts', 'discovered_at', filter));

const allFindings = findings('findings', '');
const findingsOfRepo = findings('findings of a repository', ofRepo);

type Filter = Range & Readonly<{ repoId: string | undefined }>;
type PrFilter = Filter & Readonly<{ status: PrStatus | undefined }>;

/** A page of findings (contract, section 4.2). */
export const findingsQuery = ({ repoId, offset, limit }: Filter): TenantQuery<FixDraftRecord> => {
  const query = repoId === undefined ? allFindings : findingsOfRepo;
  return query({ offset, limit, repo: searchKey(repoId ?? '') });
};

const prs = (name: string, filter: string) =>
  read(
    name,
    pullRequests,
    pageOf(
      'triage.pull_requests',
      'created_at',
      filter,
      'r.*, d.advisory_id, d.package, o.owner AS repo_owner, o.repo AS repo_name',
      `CROSS JOIN LATERAL (
    SELECT advisory_id, package FROM triage.fix_drafts WHERE user_id = $tenant AND id = r.draft_id LIMIT 1) d
  CROSS JOIN LATERAL (SELECT owner, repo FROM triage.repos WHERE user_id = $tenant AND id = r.repo_id LIMIT 1) o`,
    ),
  );

const allPrs = prs('pull requests', '');
const prsOfRepo = prs('pull requests of a repository', ofRepo);
const prsOfStatus = prs('pull requests of a status', ofStatus);
const prsOfRepoAndStatus = prs('pull requests of a repository and a status', ofRepo + ofStatus);

/** A page of pull requests, with what it shows of their drafts and repositories (contract, section 4.4). */
export const prsQuery = ({ repoId, status, offset, limit }: PrFilter): TenantQuery<PullRequestDetails> => {
  const [ofAll, ofOne] = status === undefined ? [allPrs, prsOfRepo] : [prsOfStatus, prsOfRepoAndStatus];
  const query = repoId === undefined ? ofAll : ofOne;
  return query({ offset, limit, repo: searchKey(repoId ?? ''), status: status ?? null });
};

const finding = read(
  'finding',
  fixDraftDetails,
  `
page AS MATERIALIZED (
  SELECT 1::bigint AS number, d.*, p.n AS pr_count FROM caller
  CROSS JOIN LATERAL (SELECT * FROM triage.fix_drafts WHERE user_id = $tenant AND id = $id LIMIT 1) d
  CROSS JOIN LATERAL (
    SELECT count(*) AS n FROM triage.pull_requests
    WHERE user_id = $tenant AND repo_id = d.repo_id AND draft_id = d.id) p
),
total AS MATERIALIZED (SELECT count(*) AS n FROM page)`,
);

/** One finding with the number of its pull requests (contract, section 4.3). */
export const findingQuery = (id: string): TenantQuery<FixDraftDetails> => finding({ id: searchKey(id) });

const allRepos = read(
  'repositories',
  repos,
  `
open_advisories AS MATERIALIZED (
  SELECT a.repo_id, a.n FROM caller CROSS JOIN LATERAL (
    SELECT repo_id, count(*) AS n FROM (
      SELECT DISTINCT repo_id, advisory_id FROM triage.fix_drafts
      WHERE user_id = $tenant AND status <> 'resolved') d
    GROUP BY repo_id) a
),
page AS MATERIALIZED (
  SELECT row_number() OVER (ORDER BY s.started_at DESC NULLS LAST, r.id) AS number, r.*, s.last_scan,
    p.n AS open_pr_count, o.draft_id AS open_fix_draft_id, coalesce(a.n, 0) AS open_advisory_count
  FROM caller
  CROSS JOIN LATERAL (SELECT * FROM triage.repos WHERE user_id = $tenant OFFSET 0) r
  LEFT JOIN LATERAL (
    SELECT started_at, (SELECT to_jsonb(scan) FROM (SELECT ${scanColumns}) scan) AS last_scan
    FROM triage.scans WHERE user_id = $tenant AND repo_id = r.id
    ORDER BY started_at DESC, id DESC LIMIT 1) s ON true
  CROSS JOIN LATERAL (
    SELECT count(*) AS n FROM triage.pull_requests
    WHERE user_id = $tenant AND repo_id = r.id AND pr_status = 'open') p
  LEFT JOIN LATERAL (
    SELECT draft_id FROM triage.pull_requests WHERE user_id = $tenant AND repo_id = r.id AND pr_status = 'open'
    ORDER BY updated_at DESC, id LIMIT 1) o ON true
  LEFT JOIN open_advisories a ON a.repo_id = r.id
),
total AS MATERIALIZED (SELECT count(*) AS n FROM page)`,
);

/** All repositories with what is derived for each (contract, section 4.1). */
export const reposQuery: TenantQuery<RepoDetails> = allRepos({});

/** A text from a request as a parameter. PostgreSQL refuses U+0000; the empty string is no stored key. */
export const searchKey = (text: string): string => (Text.is(text) ? text : '');

const credentialValues = ({ session, apiToken, at }: PresentedCredentials): Values => ({
  session,
  token: apiToken,
  at: storedTime(at),
});

const caller = statement(
  'caller',
  `SELECT user_id AS "userId", use_due AS "useDue", to_json(session_expires_at) AS "sessionExpiresAt"
  FROM triage.caller_of($session, $token, $at)`,
);

/** Resolves credentials to a user. `useDue`: record the use of the token. No row: invalid credentials. */
export const callerStatement = (credentials: PresentedCredentials): Statement =>
  caller(credentialValues(credentials));
