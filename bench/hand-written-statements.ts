import { markDistance } from './hand-written-tables.js';

export type ListName = 'findings' | 'prs';

const iso = (column: string, name: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "${name}"`;

const findingFields = `d.id, d.repo_id AS "repoId", d.advisory_id AS "advisoryId", d.package, d.ecosystem,
  d.vulnerable_range AS "vulnerableRange", d.fixed_range AS "fixedRange", d.severity, d.reachability,
  d.exploit_signal AS "exploitSignal", d.status, d.ci_status AS "ciStatus",
  ${iso('d.discovered_at', 'discoveredAt')}, ${iso('d.updated_at', 'updatedAt')},
  ${iso('d.reconciled_at', 'reconciledAt')}`;

const prFields = `p.draft_id AS id, p.repo_id AS "repoId",
  (SELECT row_to_json(names) FROM (SELECT r.owner, r.repo) AS names) AS repo,
  d.advisory_id AS "advisoryId", d.package, p.from_version AS "fromVersion", p.to_version AS "toVersion",
  p.branch, p.has_codemod AS "hasCodemod", p.codemod_summary AS "codemodSummary", p.ci_status AS "ciStatus",
  p.pr_url AS "prUrl", p.pr_state AS "prState",
  ${iso('p.created_at', 'createdAt')}, ${iso('p.updated_at', 'updatedAt')},
  ${iso('p.reconciled_at', 'reconciledAt')}`;

/** A statement whose result is the items of a page as JSON text, the latest rows first. */
const statement = (list: ListName, items: string, isFirst: boolean): string => `
  SELECT l.total, (
    SELECT coalesce(string_agg(row_to_json(item)::text, ','), '') FROM (${items}) AS item) AS items
  FROM triage.sessions s
  JOIN hand_written.lists l ON l.user_id = s.user_id AND l.list = '${list}'
  ${isFirst ? '' : mark(list)}
  WHERE s.hash = $1 AND s.expires_at > now()`;

const mark = (list: ListName): string => `
  JOIN hand_written.marks m
    ON m.user_id = s.user_id AND m.list = '${list}' AND m.number = $3::bigint / ${markDistance}`;

/** The rows of a page: the first ones, or those from a mark on. */
const page = (table: string, at: string, isFirst: boolean): string => `
  SELECT * FROM ${table} AS row WHERE row.user_id = s.user_id
  ${isFirst ? '' : `AND row.${at} <= m.at AND (row.${at} < m.at OR row.id >= m.id)`}
  ORDER BY row.${at} DESC, row.id ${isFirst ? '' : `OFFSET $3::bigint % ${markDistance}`} LIMIT $2`;

const findings = (isFirst: boolean): string => `
  SELECT ${findingFields} FROM (${page('triage.fix_drafts', 'discovered_at', isFirst)}) AS d
  ORDER BY d.discovered_at DESC, d.id`;

const prs = (isFirst: boolean): string => `
  SELECT ${prFields} FROM (${page('triage.pull_requests', 'created_at', isFirst)}) AS p
  JOIN triage.fix_drafts d ON d.user_id = p.user_id AND d.id = p.draft_id
  JOIN triage.repos r ON r.user_id = p.user_id AND r.id = p.repo_id
  ORDER BY p.created_at DESC, p.id`;

/** The statement for a page: `$1` the hash of the session, `$2` the limit, `$3` the rows before the page. */
export const statementFor = (list: ListName, skip: number): Readonly<{ name: string; text: string }> => {
  const isFirst = skip === 0;
  return statements[list][isFirst ? 'first' : 'other'];
};

const named = (list: ListName, items: (isFirst: boolean) => string) => ({
  first: { name: `${list}_first`, text: statement(list, items(true), true) },
  other: { name: `${list}_other`, text: statement(list, items(false), false) },
});

const statements = { findings: named('findings', findings), prs: named('prs', prs) };
