-- Writes a repository, a scan, two fix drafts and a pull request of the tenant usr_1. It can be repeated.
BEGIN;
SELECT set_config('triage.user_id', 'usr_1', true);

INSERT INTO triage.repos AS r (user_id, id, owner, repo, default_branch, is_demo_row, scan_status_badge, status)
VALUES ('usr_1', 'repo_1', 'acme', 'web', 'main', false, 'ok', 'attention')
ON CONFLICT (user_id, id) DO UPDATE
SET (owner, repo, default_branch, scan_status_badge, status)
  = (excluded.owner, excluded.repo, excluded.default_branch, excluded.scan_status_badge, excluded.status)
WHERE (r.owner, r.repo, r.default_branch, r.scan_status_badge, r.status) IS DISTINCT FROM
  (excluded.owner, excluded.repo, excluded.default_branch, excluded.scan_status_badge, excluded.status);

INSERT INTO triage.scans (user_id, id, repo_id, started_at, finished_at, status, findings_seen, drafts_opened, error)
VALUES ('usr_1', 'scan_1', 'repo_1', '2026-11-20T11:00:00Z', '2026-11-20T11:01:30Z', 'completed', 2, 2, NULL)
ON CONFLICT (user_id, id) DO NOTHING;

INSERT INTO triage.fix_drafts AS d (user_id, id, repo_id, advisory_id, package, ecosystem, vulnerable_range, fixed_range,
  severity, reachability, exploit_signal, status, ci_status, discovered_at, updated_at, reconciled_at)
VALUES
  ('usr_1', 'fix_1', 'repo_1', 'GHSA-35jh-r3h4-6jhm', 'lodash', 'npm', '< 4.17.21', '>= 4.17.21',
    'high', 0.8, 0.4, 'drafting', 'passing', '2026-11-20T11:01:00Z', '2026-11-20T11:01:00Z', NULL),
  ('usr_1', 'fix_2', 'repo_1', 'GHSA-c2qf-rxjj-qqgw', 'semver', 'npm', '< 7.5.2', '>= 7.5.2',
    'medium', 0.2, 0.1, 'pending', 'none', '2026-11-20T11:01:00Z', '2026-11-20T11:01:00Z', NULL)
ON CONFLICT (user_id, id) DO UPDATE
SET (severity, status, ci_status, updated_at, reconciled_at)
  = (excluded.severity, excluded.status, excluded.ci_status, excluded.updated_at, excluded.reconciled_at)
WHERE d.updated_at < excluded.updated_at;

INSERT INTO triage.pull_requests AS p (user_id, id, repo_id, draft_id, from_version, to_version, branch, has_codemod,
  codemod_summary, ci_status, pr_url, pr_state, created_at, updated_at, reconciled_at)
VALUES
  ('usr_1', 'pr_1', 'repo_1', 'fix_1', '4.17.15', '4.17.21', 'triage/lodash-4.17.21', false, '', 'passing',
    'https://github.com/acme/web/pull/7', 'open', '2026-11-20T11:02:00Z', '2026-11-20T11:02:00Z', NULL)
ON CONFLICT (user_id, id) DO UPDATE
SET (ci_status, pr_state, updated_at, reconciled_at)
  = (excluded.ci_status, excluded.pr_state, excluded.updated_at, excluded.reconciled_at)
WHERE p.updated_at < excluded.updated_at;
COMMIT;
