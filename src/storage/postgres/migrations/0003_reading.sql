-- What the API asks. A function for each question, so that a request is one statement: it says who is asking to the row-level
-- security below, and the statements inside are prepared once per connection, whatever pools connections in between. STABLE:
-- all of a function sees one moment of the database.
--
-- How the statements are carried out is pinned down: ranges of indexes, in their order, whatever the statistics say. A planner
-- that thinks of an average tenant would rather sort a small one than walk an index, and then meets a tenant of a million rows.
-- For the same reason a row is looked up by its key in a subquery with a LIMIT, which stays the inner side of a join. Such
-- look-ups are planned at each call (force_custom_plan), for tables as large as they are by then: while they are small, any index
-- that begins with the tenant looks as good as the key, and a plan that is kept would walk the tenant for every row of a page.
-- A list's index, which alone has its order, is found whatever the size, so that its plan can be kept (force_generic_plan).

-- Rows as JSON, in the form of the record codecs.

CREATE FUNCTION triage.iso(at timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN at < '0001-01-01 00:00:00+00' THEN to_char(at AT TIME ZONE 'UTC', '"0000"-MM-DD"T"HH24:MI:SS.MS"Z"')
    ELSE to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  END
$$;

CREATE FUNCTION triage.repo_json(r triage.repos) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'id', r.id, 'owner', r.owner, 'repo', r.repo, 'defaultBranch', r.default_branch, 'isDemoRow', r.is_demo_row,
    'scanStatusBadge', r.scan_status_badge, 'status', r.status)
$$;

CREATE FUNCTION triage.scan_json(s triage.scans) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'id', s.id, 'repoId', s.repo_id, 'startedAt', triage.iso(s.started_at), 'finishedAt', triage.iso(s.finished_at),
    'status', s.status, 'findingsSeen', s.findings_seen, 'draftsOpened', s.drafts_opened, 'error', s.error)
$$;

CREATE FUNCTION triage.fix_draft_json(d triage.fix_drafts) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'id', d.id, 'repoId', d.repo_id, 'advisoryId', d.advisory_id, 'package', d.package, 'ecosystem', d.ecosystem,
    'vulnerableRange', d.vulnerable_range, 'fixedRange', d.fixed_range, 'severity', d.severity,
    'reachability', d.reachability, 'exploitSignal', d.exploit_signal, 'status', d.status, 'ciStatus', d.ci_status,
    'discoveredAt', triage.iso(d.discovered_at), 'updatedAt', triage.iso(d.updated_at),
    'reconciledAt', triage.iso(d.reconciled_at))
$$;

CREATE FUNCTION triage.pull_request_json(p triage.pull_requests) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'id', p.id, 'draftId', p.draft_id, 'fromVersion', p.from_version, 'toVersion', p.to_version, 'branch', p.branch,
    'hasCodemod', p.has_codemod, 'codemodSummary', p.codemod_summary, 'ciStatus', p.ci_status, 'prUrl', p.pr_url,
    'prState', p.pr_state, 'createdAt', triage.iso(p.created_at), 'updatedAt', triage.iso(p.updated_at),
    'reconciledAt', triage.iso(p.reconciled_at))
$$;

-- Row-level security: a role that is not the owner sees rows of the tenant on whose behalf it has said that it asks, and
-- where it has said nothing, none. The setting ends with the transaction.

CREATE FUNCTION triage.ask_for(caller text) RETURNS void LANGUAGE sql AS $$
  SELECT set_config('triage.user_id', coalesce(caller, ''), true)
$$;

CREATE FUNCTION triage.asked_for() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT current_setting('triage.user_id', true)
$$;

ALTER TABLE triage.repos ENABLE ROW LEVEL SECURITY;
ALTER TABLE triage.repo_facts ENABLE ROW LEVEL SECURITY;
ALTER TABLE triage.scans ENABLE ROW LEVEL SECURITY;
ALTER TABLE triage.fix_drafts ENABLE ROW LEVEL SECURITY;
ALTER TABLE triage.pull_requests ENABLE ROW LEVEL SECURITY;

CREATE POLICY own ON triage.repos USING (user_id = triage.asked_for());
CREATE POLICY own ON triage.repo_facts USING (user_id = triage.asked_for());
CREATE POLICY own ON triage.scans USING (user_id = triage.asked_for());
CREATE POLICY own ON triage.fix_drafts USING (user_id = triage.asked_for());
CREATE POLICY own ON triage.pull_requests USING (user_id = triage.asked_for());

-- All repositories of a caller with what is derived for each, the most recently scanned first.
CREATE FUNCTION triage.list_repos(caller text) RETURNS json
  LANGUAGE plpgsql STABLE
  SET plan_cache_mode = force_custom_plan SET enable_seqscan = off SET enable_bitmapscan = off
  SET enable_sort = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
BEGIN
  PERFORM triage.ask_for(caller);
  RETURN (
    SELECT coalesce(json_agg(facts.row), '[]') FROM (
      SELECT json_build_object(
        'repo', (SELECT triage.repo_json(r) FROM triage.repos r WHERE r.user_id = caller AND r.id = f.repo_id),
        'lastScan', (SELECT triage.scan_json(s) FROM triage.scans s WHERE s.user_id = caller AND s.id = f.last_scan_id),
        'openPrCount', f.open_prs,
        'openFixDraftId', (
          SELECT p.draft_id FROM triage.pull_requests p
          WHERE p.user_id = caller AND p.repo_id = f.repo_id AND p.pr_status = 'open'
          ORDER BY p.updated_at DESC, p.id LIMIT 1),
        'openAdvisoryCount', f.open_advisories) AS row
      FROM triage.repo_facts f
      WHERE f.user_id = caller
      ORDER BY f.last_scan_at DESC NULLS LAST, f.repo_id
    ) facts
  );
END $$;

-- The ids on one page of the findings. A page past the middle is looked for from the end (`backwards`), so that the last page
-- costs what the first does, and none more than the middle one.
CREATE FUNCTION triage.finding_ids(caller text, repo text, skip bigint, most bigint, backwards boolean)
  RETURNS SETOF text LANGUAGE plpgsql STABLE
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off
AS $$
BEGIN
  CASE
    WHEN repo IS NULL AND NOT backwards THEN
      RETURN QUERY SELECT d.id::text FROM triage.fix_drafts d WHERE d.user_id = caller
        ORDER BY d.discovered_at DESC, d.id OFFSET skip LIMIT most;
    WHEN repo IS NULL THEN
      RETURN QUERY SELECT d.id::text FROM triage.fix_drafts d WHERE d.user_id = caller
        ORDER BY d.discovered_at, d.id DESC OFFSET skip LIMIT most;
    WHEN NOT backwards THEN
      RETURN QUERY SELECT d.id::text FROM triage.fix_drafts d WHERE d.user_id = caller AND d.repo_id = repo
        ORDER BY d.discovered_at DESC, d.id OFFSET skip LIMIT most;
    ELSE
      RETURN QUERY SELECT d.id::text FROM triage.fix_drafts d WHERE d.user_id = caller AND d.repo_id = repo
        ORDER BY d.discovered_at, d.id DESC OFFSET skip LIMIT most;
  END CASE;
END $$;

-- A page of a caller's findings, of one repository where `repo` is given, and how many there are in all: `{total, rows}`.
CREATE FUNCTION triage.list_findings(caller text, repo text, skip bigint, most bigint)
  RETURNS json LANGUAGE plpgsql STABLE
  SET plan_cache_mode = force_custom_plan SET enable_seqscan = off SET enable_bitmapscan = off
  SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
DECLARE
  total bigint;
  there bigint;
  backwards boolean;
BEGIN
  PERFORM triage.ask_for(caller);
  IF repo IS NULL THEN
    SELECT coalesce(sum(f.findings), 0) INTO total FROM triage.repo_facts f WHERE f.user_id = caller;
  ELSE
    SELECT coalesce(sum(f.findings), 0) INTO total FROM triage.repo_facts f
    WHERE f.user_id = caller AND f.repo_id = repo;
  END IF;
  there := least(most, greatest(total - skip, 0));
  backwards := skip > total / 2;
  IF backwards THEN skip := greatest(total - skip - there, 0); END IF;
  RETURN (
    SELECT json_build_object('total', total, 'rows', coalesce(
      json_agg(triage.fix_draft_json(found.d) ORDER BY (found.d).discovered_at DESC, (found.d).id), '[]'))
    FROM triage.finding_ids(caller, repo, skip, there, backwards) AS page (id)
    CROSS JOIN LATERAL (
      SELECT d FROM triage.fix_drafts d WHERE d.user_id = caller AND d.id = page.id LIMIT 1) AS found
  );
END $$;

-- One finding with the number of its pull requests; null: the caller has none with this id.
CREATE FUNCTION triage.get_finding(caller text, finding_id text) RETURNS json
  LANGUAGE plpgsql STABLE
  SET plan_cache_mode = force_custom_plan SET enable_seqscan = off SET enable_bitmapscan = off
AS $$
BEGIN
  PERFORM triage.ask_for(caller);
  RETURN (
    SELECT json_build_object('draft', triage.fix_draft_json(d), 'prCount', (
      SELECT count(*) FROM triage.pull_requests p
      WHERE p.user_id = caller AND p.repo_id = d.repo_id AND p.draft_id = d.id))
    FROM triage.fix_drafts d WHERE d.user_id = caller AND d.id = finding_id
  );
END $$;

-- The ids on one page of the pull requests, as `finding_ids`.
CREATE FUNCTION triage.pr_ids(caller text, repo text, status text, skip bigint, most bigint, backwards boolean)
  RETURNS SETOF text LANGUAGE plpgsql STABLE
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off
AS $$
BEGIN
  CASE
    WHEN repo IS NULL AND status IS NULL AND NOT backwards THEN
      RETURN QUERY SELECT p.id::text FROM triage.pull_requests p WHERE p.user_id = caller
        ORDER BY p.created_at DESC, p.id OFFSET skip LIMIT most;
    WHEN repo IS NULL AND status IS NULL THEN
      RETURN QUERY SELECT p.id::text FROM triage.pull_requests p WHERE p.user_id = caller
        ORDER BY p.created_at, p.id DESC OFFSET skip LIMIT most;
    WHEN repo IS NULL AND NOT backwards THEN
      RETURN QUERY SELECT p.id::text FROM triage.pull_requests p WHERE p.user_id = caller AND p.pr_status = status
        ORDER BY p.created_at DESC, p.id OFFSET skip LIMIT most;
    WHEN repo IS NULL THEN
      RETURN QUERY SELECT p.id::text FROM triage.pull_requests p WHERE p.user_id = caller AND p.pr_status = status
        ORDER BY p.created_at, p.id DESC OFFSET skip LIMIT most;
    WHEN status IS NULL AND NOT backwards THEN
      RETURN QUERY SELECT p.id::text FROM triage.pull_requests p WHERE p.user_id = caller AND p.repo_id = repo
        ORDER BY p.created_at DESC, p.id OFFSET skip LIMIT most;
    WHEN status IS NULL THEN
      RETURN QUERY SELECT p.id::text FROM triage.pull_requests p WHERE p.user_id = caller AND p.repo_id = repo
        ORDER BY p.created_at, p.id DESC OFFSET skip LIMIT most;
    WHEN NOT backwards THEN
      RETURN QUERY SELECT p.id::text FROM triage.pull_requests p
        WHERE p.user_id = caller AND p.repo_id = repo AND p.pr_status = status
        ORDER BY p.created_at DESC, p.id OFFSET skip LIMIT most;
    ELSE
      RETURN QUERY SELECT p.id::text FROM triage.pull_requests p
        WHERE p.user_id = caller AND p.repo_id = repo AND p.pr_status = status
        ORDER BY p.created_at, p.id DESC OFFSET skip LIMIT most;
  END CASE;
END $$;

-- A page of a caller's pull requests, of one repository and of one status where these are given, and how many there are in
-- all, with the drafts and repositories that they belong to.
CREATE FUNCTION triage.list_prs(caller text, repo text, status text, skip bigint, most bigint)
  RETURNS json LANGUAGE plpgsql STABLE
  SET plan_cache_mode = force_custom_plan SET enable_seqscan = off SET enable_bitmapscan = off
  SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
DECLARE
  total bigint;
  there bigint;
  backwards boolean;
BEGIN
  PERFORM triage.ask_for(caller);
  IF repo IS NULL THEN
    SELECT coalesce(sum(CASE status
        WHEN 'open' THEN f.open_prs WHEN 'merged' THEN f.merged_prs WHEN 'closed' THEN f.closed_prs ELSE f.prs END), 0)
    INTO total FROM triage.repo_facts f WHERE f.user_id = caller;
  ELSE
    SELECT coalesce(sum(CASE status
        WHEN 'open' THEN f.open_prs WHEN 'merged' THEN f.merged_prs WHEN 'closed' THEN f.closed_prs ELSE f.prs END), 0)
    INTO total FROM triage.repo_facts f WHERE f.user_id = caller AND f.repo_id = repo;
  END IF;
  there := least(most, greatest(total - skip, 0));
  backwards := skip > total / 2;
  IF backwards THEN skip := greatest(total - skip - there, 0); END IF;
  RETURN (
    SELECT json_build_object('total', total, 'rows', coalesce(
      json_agg(json_build_object(
        'pullRequest', triage.pull_request_json(found.p),
        'draft', (
          SELECT triage.fix_draft_json(d) FROM triage.fix_drafts d
          WHERE d.user_id = caller AND d.id = (found.p).draft_id),
        'repo', (
          SELECT triage.repo_json(r) FROM triage.repos r WHERE r.user_id = caller AND r.id = (found.p).repo_id)
      ) ORDER BY (found.p).created_at DESC, (found.p).id), '[]'))
    FROM triage.pr_ids(caller, repo, status, skip, there, backwards) AS page (id)
    CROSS JOIN LATERAL (
      SELECT p FROM triage.pull_requests p WHERE p.user_id = caller AND p.id = page.id LIMIT 1) AS found
  );
END $$;
