import { tenant } from './writers-tenant.js';

/** A prepared statement, its values, and the row that it locks, as a key by which such rows can be sorted. */
export type Write = Readonly<{ name: string; text: string; values: readonly string[]; row: string }>;

const repos = 30;
const hotRepos = 5;
const advisories = 2000;

/** A random one of the five repositories that are written to. */
export const hotRepo = (): string => `r${Math.floor(Math.random() * hotRepos)}`;

/** The number of a random row of these repositories; `_tenants.ts` numbers them from one. */
export const hotNumber = (rows: number): number =>
  repos * (1 + Math.floor(Math.random() * (Math.floor(rows / repos) - 1))) +
  Math.floor(Math.random() * hotRepos);

const write =
  (name: string, table: string, text: string) =>
  (id: string, ...values: readonly string[]): Write => ({
    name,
    text,
    values: [tenant, id, ...values],
    row: `${table} ${id}`,
  });

const setStatus = write(
  'set_status',
  'fix_drafts',
  'UPDATE triage.fix_drafts SET status = $3 WHERE user_id = $1 AND id = $2',
);
const setCiStatus = write(
  'set_ci_status',
  'fix_drafts',
  "UPDATE triage.fix_drafts SET ci_status = CASE ci_status WHEN 'passing' THEN 'failing' ELSE 'passing' END " +
    'WHERE user_id = $1 AND id = $2',
);
const setPrState = write(
  'set_pr_state',
  'pull_requests',
  'UPDATE triage.pull_requests SET pr_state = $3 WHERE user_id = $1 AND id = $2',
);
const insertFinding = write(
  'insert_finding',
  'fix_drafts',
  `INSERT INTO triage.fix_drafts VALUES ($1, $2, $3, $4, 'lodash', 'npm', '< 4.17.21', '>= 4.17.21',
    'high', 0.5, 0.25, 'pending', 'none', now(), now(), NULL)`,
);
const insertPr = write(
  'insert_pr',
  'pull_requests',
  `INSERT INTO triage.pull_requests (user_id, id, repo_id, draft_id, from_version, to_version, branch, has_codemod,
    codemod_summary, ci_status, pr_url, pr_state, created_at, updated_at)
  VALUES ($1, $2, $3, $4, '4.17.15', '4.17.21', 'triage/lodash', false, '', 'passing', 'https://github.example/pull', $5,
    now(), now())`,
);
const insertScan = write(
  'insert_scan',
  'scans',
  `INSERT INTO triage.scans VALUES ($1, $2, $3, clock_timestamp(), clock_timestamp(), 'ok', 0, 0, NULL)`,
);

/** The statements of the benchmark. Rows that the tenant was built with are named by their number. */
export const writes = {
  setStatus: (row: number, status: string): Write => setStatus(`d${row}`, status),
  setCiStatus: (row: number): Write => setCiStatus(`d${row}`),
  setPrState: (row: number, state: string): Write => setPrState(`p${row}`, state),
  insertFinding: (id: string, repo: string): Write =>
    insertFinding(id, repo, `GHSA-${Math.floor(Math.random() * advisories)}`),
  insertPr: (id: string, draft: number, state: string): Write =>
    insertPr(id, `r${draft % repos}`, `d${draft}`, state),
  insertScan: (repo: string): Write => insertScan(`scan_${Math.random().toString(36).slice(2)}`, repo),
  moveFinding: write(
    'move_finding',
    'fix_drafts',
    'UPDATE triage.fix_drafts SET repo_id = $3 WHERE user_id = $1 AND id = $2',
  ),
  deleteFinding: write(
    'delete_finding',
    'fix_drafts',
    'DELETE FROM triage.fix_drafts WHERE user_id = $1 AND id = $2',
  ),
  deletePr: write(
    'delete_pr',
    'pull_requests',
    'DELETE FROM triage.pull_requests WHERE user_id = $1 AND id = $2',
  ),
};
