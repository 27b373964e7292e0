import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import pg from 'pg';

/**
 * The server that triage-api is compared with over PostgreSQL: two lists and the repositories of the caller,
 * as one would write them by hand. Each request is one prepared statement, which also checks the session,
 * counts and makes the JSON. It validates neither requests nor rows, and has no row-level security, no access
 * log, no time limits and no other endpoints. Arguments: the URL of the database, the port.
 */
const [, , connectionString, port] = process.argv;

const pool = new pg.Pool({ connectionString, max: 10, application_name: 'hand-written' });

const iso = (column: string, name: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "${name}"`;

const caller = 'SELECT user_id AS id FROM triage.sessions WHERE hash = $1 AND expires_at > now()';

/** One page of a table, the newest rows first, with the number of all rows. */
const pageOf = (table: string, at: string, fields: string, joins: string): string => `
  SELECT total.n AS total, coalesce(page.items, '') AS items
  FROM (${caller}) caller
  CROSS JOIN LATERAL (SELECT count(*) AS n FROM ${table} WHERE user_id = caller.id) total
  CROSS JOIN LATERAL (
    SELECT string_agg(row_to_json(item)::text, ',') AS items FROM (
      SELECT ${fields} FROM (
        SELECT * FROM ${table} WHERE user_id = caller.id ORDER BY ${at} DESC, id LIMIT $2 OFFSET $3) l
      ${joins} ORDER BY l.${at} DESC, l.id) item) page`;

const findings = pageOf(
  'triage.fix_drafts',
  'discovered_at',
  `l.id, l.repo_id AS "repoId", l.advisory_id AS "advisoryId", l.package, l.ecosystem,
    l.vulnerable_range AS "vulnerableRange", l.fixed_range AS "fixedRange", l.severity, l.reachability,
    l.exploit_signal AS "exploitSignal", l.status, l.ci_status AS "ciStatus",
    ${iso('l.discovered_at', 'discoveredAt')}, ${iso('l.updated_at', 'updatedAt')},
    ${iso('l.reconciled_at', 'reconciledAt')}`,
  '',
);

const prs = pageOf(
  'triage.pull_requests',
  'created_at',
  `l.draft_id AS id, l.repo_id AS "repoId", json_build_object('owner', r.owner, 'repo', r.repo) AS repo,
    d.advisory_id AS "advisoryId", d.package, l.from_version AS "fromVersion", l.to_version AS "toVersion",
    l.branch, l.has_codemod AS "hasCodemod", l.codemod_summary AS "codemodSummary", l.ci_status AS "ciStatus",
    l.pr_url AS "prUrl", l.pr_state AS "prState", ${iso('l.created_at', 'createdAt')},
    ${iso('l.updated_at', 'updatedAt')}, ${iso('l.reconciled_at', 'reconciledAt')}`,
  `JOIN triage.fix_drafts d ON d.user_id = l.user_id AND d.id = l.draft_id
   JOIN triage.repos r ON r.user_id = l.user_id AND r.id = l.repo_id`,
);

/** All repositories with their last scans and counts. */
const repos = `
  SELECT coalesce(string_agg(row_to_json(item)::text, ','), '') AS items FROM (
    SELECT r.id, r.owner, r.repo, r.default_branch AS "defaultBranch", r.is_demo_row AS "isDemoRow",
      s.scan AS "lastScan", r.scan_status_badge AS "scanStatusBadge", coalesce(p.n, 0) AS "openPrCount", r.status,
      coalesce(a.n, 0) AS "openAdvisoryCount", s.scan ->> 'startedAt' AS "lastScanAt",
      extract(day FROM now() - s.started_at) || ' days ago' AS "lastScanRelative",
      coalesce(p.n, 0) > 0 AS "hasOpenFixPr", p.draft AS "openFixDraftId",
      upper(left(r.owner, 1)) AS "ownerInitial"
    FROM (${caller}) caller
    JOIN triage.repos r ON r.user_id = caller.id
    LEFT JOIN LATERAL (
      SELECT last.started_at, row_to_json(shown) AS scan FROM (
        SELECT * FROM triage.scans s WHERE s.user_id = r.user_id AND s.repo_id = r.id
        ORDER BY s.started_at DESC, s.id DESC LIMIT 1) last
      CROSS JOIN LATERAL (
        SELECT last.id, ${iso('last.started_at', 'startedAt')}, ${iso('last.finished_at', 'finishedAt')},
          last.status, last.findings_seen AS "findingsSeen", last.drafts_opened AS "draftsOpened", last.error
      ) shown) s ON true
    LEFT JOIN (
      SELECT repo_id, count(*) AS n, (array_agg(draft_id ORDER BY updated_at DESC, id))[1] AS draft
      FROM triage.pull_requests WHERE user_id = (${caller}) AND pr_state = 'open' GROUP BY repo_id
    ) p ON p.repo_id = r.id
    LEFT JOIN (
      SELECT repo_id, count(DISTINCT advisory_id) AS n
      FROM triage.fix_drafts WHERE user_id = (${caller}) AND status <> 'resolved' GROUP BY repo_id
    ) a ON a.repo_id = r.id
    ORDER BY s.started_at DESC NULLS LAST, r.id) item`;

type Row = Readonly<{ total: string; items: string }>;

const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const [path = '', query = ''] = (request.url ?? '').split('?', 2);
  const session = /(?:^|; )session=([^;]+)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
  const hash = createHash('sha256').update(session).digest('hex');
  if (path === '/api/v1/repos') {
    const { rows } = await pool.query<Row>({ name: 'repos', text: repos, values: [hash] });
    return send(response, 200, `[${rows[0]?.items}]`);
  }
  const parameters = new URLSearchParams(query);
  const [page, limit] = [Number(parameters.get('page') ?? '1'), Number(parameters.get('limit') ?? '25')];
  const { rows } = await pool.query<Row>({
    ...(path === '/api/v1/prs' ? { name: 'prs', text: prs } : { name: 'findings', text: findings }),
    values: [hash, limit, (page - 1) * limit],
  });
  const [row] = rows;
  if (row === undefined) return send(response, 401, '{"error":"Unauthorized"}');
  const totals = `"totalItems":${row.total},"totalPages":${Math.ceil(Number(row.total) / limit)}`;
  send(response, 200, `{"items":[${row.items}],"page":${page},"limit":${limit},${totals}}`);
};

const send = (response: ServerResponse, status: number, body: string): void => {
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'private, no-cache',
    Vary: 'Cookie, Authorization',
    ETag: `"${createHash('sha256').update(body).digest('base64url')}"`,
  });
  response.end(body);
};

createServer((request, response) => {
  answer(request, response).catch((cause: unknown) =>
    send(response, 500, JSON.stringify({ error: `${cause}` })),
  );
}).listen(Number(port), '127.0.0.1');
