-- What the API asks, second edition. A request is one statement: a function that says whose credentials these are, says to
-- row-level security on whose behalf it reads, and answers. STABLE: all of it sees one moment of the database.
--
-- Each answer has a version: a hash of which versions of which rows it shows. Who asks names the version that it has; where
-- nothing has changed, the answer is the version alone, and no row is rendered. A transaction leaves one version of a row, so that
-- its id and its `xmin` name it, wherever VACUUM FULL moves it.
--
-- How statements are carried out is pinned down, and their plans are kept (`force_generic_plan`): ranges of indexes, in
-- their order, whatever the statistics say about tables that may have been small when the plan was made. A page is found
-- in two steps. The first walks the one index that has the order of the list, and collects ids from the index alone; the
-- second looks the rows up by their key, in a subquery with a LIMIT, which stays the inner side of a join.

-- Rows are seen on behalf of one tenant. The subquery makes PostgreSQL look the tenant up once a statement, not once a row.
ALTER POLICY own ON triage.repos USING (user_id = (SELECT triage.asked_for()));
ALTER POLICY own ON triage.scans USING (user_id = (SELECT triage.asked_for()));
ALTER POLICY own ON triage.fix_drafts USING (user_id = (SELECT triage.asked_for()));
ALTER POLICY own ON triage.pull_requests USING (user_id = (SELECT triage.asked_for()));

ALTER TABLE triage.changes ENABLE ROW LEVEL SECURITY;
ALTER TABLE triage.lists ENABLE ROW LEVEL SECURITY;
ALTER TABLE triage.marks ENABLE ROW LEVEL SECURITY;
ALTER TABLE triage.advisories ENABLE ROW LEVEL SECURITY;

CREATE POLICY own ON triage.changes USING (user_id = (SELECT triage.asked_for()));
CREATE POLICY own ON triage.lists USING (user_id = (SELECT triage.asked_for()));
CREATE POLICY own ON triage.marks USING (user_id = (SELECT triage.asked_for()));
CREATE POLICY own ON triage.advisories USING (user_id = (SELECT triage.asked_for()));

-- Milliseconds since 1970.
CREATE FUNCTION triage.ms(at timestamptz) RETURNS bigint LANGUAGE sql STABLE
RETURN (date_part('epoch', ms.at) * 1000)::bigint;

-- Distinguishes servers and databases: on each, a row version has a place of its own.
CREATE FUNCTION triage.database_key() RETURNS bigint LANGUAGE sql STABLE
RETURN hashtextextended(current_database() || pg_postmaster_start_time()::text, 0);

-- Whom credentials belong to: a token that is valid decides, else a session that is valid; null: nobody. `use_due`: the token
-- has not been noted as used for a while.
CREATE FUNCTION triage.identify(
  session_hash text, token_hash text, now text, OUT user_id text, OUT use_due boolean
) LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  SET plan_cache_mode = force_generic_plan SET jit = off SET enable_seqscan = off SET enable_bitmapscan = off
AS $$
DECLARE
  moment timestamptz := triage.moment_of(now);
BEGIN
  IF token_hash IS NOT NULL THEN
    SELECT t.user_id, t.last_used_at IS NULL OR moment - t.last_used_at >= interval '1 minute'
    INTO identify.user_id, identify.use_due
    FROM triage.api_tokens t
    WHERE t.hash = token_hash
      AND (t.expires_at IS NULL OR t.expires_at > moment) AND (t.revoked_at IS NULL OR t.revoked_at > moment);
    IF FOUND THEN RETURN; END IF;
  END IF;
  SELECT s.user_id INTO identify.user_id FROM triage.sessions s WHERE s.hash = session_hash AND s.expires_at > moment;
  use_due := false;
END $$;

CREATE OR REPLACE FUNCTION triage.caller_of(session_hash text, token_hash text, at text)
  RETURNS TABLE (user_id text, use_due boolean) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT i.user_id, i.use_due FROM triage.identify(session_hash, token_hash, at) i WHERE i.user_id IS NOT NULL
$$;

-- How many rows a list has. No repository has an empty id, which stands for all of them here: who asks for it gets nothing.
CREATE FUNCTION triage.rows_in(caller text, list_name text, repo text, filter text) RETURNS bigint
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
  SET plan_cache_mode = force_generic_plan SET jit = off SET enable_seqscan = off SET enable_bitmapscan = off
AS $$
BEGIN
  RETURN coalesce((
      SELECT l.rows FROM triage.lists l
      WHERE l.user_id = caller AND l.list = list_name AND l.repo_id = repo AND l.status = filter), 0)
    + coalesce((
      SELECT sum(c.rows) FROM triage.changes c
      WHERE c.user_id = caller AND c.list = list_name
        AND (repo = '' OR c.repo_id = repo) AND (filter = '' OR c.status = filter)), 0);
END $$;

-- The last mark of a list that is not beyond the row with the number `skip` (from 0), and how many rows there are from the
-- mark to that row. A list without marks begins at infinity.
CREATE FUNCTION triage.nearest_mark(
  caller text, list_name text, repo text, filter text, INOUT skip bigint, OUT at timestamptz, OUT id text
) LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
  SET plan_cache_mode = force_generic_plan SET jit = off SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off
AS $$
DECLARE
  folded bigint;
  came bigint;
  target bigint;
  before bigint;
BEGIN
  SELECT l.rows INTO folded FROM triage.lists l
  WHERE l.user_id = caller AND l.list = list_name AND l.repo_id = repo AND l.status = filter AND l.has_marks;
  IF FOUND THEN
    -- Rows that came since the marks were counted can only make the number of a mark's first row greater. With so many fewer
    -- to skip, the mark is not beyond the row, whatever came where.
    SELECT skip - coalesce(sum(c.rows), 0) INTO target FROM triage.changes c
    WHERE c.user_id = caller AND c.list = list_name AND c.rows > 0
      AND (repo = '' OR c.repo_id = repo) AND (filter = '' OR c.status = filter);
    -- From the nearer end.
    IF target <= folded / 2 THEN
      SELECT m.at, m.id, m.up_to - m.rows INTO nearest_mark.at, nearest_mark.id, before
      FROM (
        SELECT n.at, n.id, n.rows, sum(n.rows) OVER (ORDER BY n.at DESC, n.id ROWS UNBOUNDED PRECEDING) AS up_to
        FROM triage.marks n
        WHERE n.user_id = caller AND n.list = list_name AND n.repo_id = repo AND n.status = filter
      ) m
      WHERE m.up_to > target LIMIT 1;
    ELSE
      SELECT m.at, m.id, folded - m.from_there INTO nearest_mark.at, nearest_mark.id, before
      FROM (
        SELECT n.at, n.id, sum(n.rows) OVER (ORDER BY n.at, n.id DESC ROWS UNBOUNDED PRECEDING) AS from_there
        FROM triage.marks n
        WHERE n.user_id = caller AND n.list = list_name AND n.repo_id = repo AND n.status = filter
      ) m
      WHERE m.from_there >= folded - target LIMIT 1;
    END IF;
  END IF;
  IF nearest_mark.at IS NULL THEN
    nearest_mark.at := 'infinity';
    nearest_mark.id := '';
    RETURN;
  END IF;
  skip := skip - before - coalesce((
    SELECT sum(c.rows) FROM triage.changes c
    WHERE c.user_id = caller AND c.list = list_name AND c.rows <> 0
      AND (repo = '' OR c.repo_id = repo) AND (filter = '' OR c.status = filter)
      AND c.at >= nearest_mark.at AND (c.at > nearest_mark.at OR c.id < nearest_mark.id)), 0);
END $$;

-- A page of a list, and its version, for each list that has an index of its own:
-- `page_of_<list>(caller, repo, filter, skip, most, total, stamp, known)`. The version is a hash of which versions of which rows
-- there are, and of `stamp`; where it is `known`, `rows` is null.
--
-- A page near the end is hashed from there. For all others, and for rows that are sent, the first row is found by the index alone:
-- from the end, from the nearest mark, or from the beginning. Rows with the same time
-- are in the order of their ids, which a range of the index cannot go on from, so that a page is made of two ranges: the rows
-- that have the time of the first one (`ties`), and those after them.
DO $$
DECLARE
  one record;
  finding_columns text := $columns$
    r.id, r.repo_id AS "repoId", r.advisory_id AS "advisoryId", r.package, r.ecosystem,
    r.vulnerable_range AS "vulnerableRange", r.fixed_range AS "fixedRange", r.severity, r.reachability,
    r.exploit_signal AS "exploitSignal", r.status, r.ci_status AS "ciStatus", triage.ms(r.discovered_at) AS "discoveredAt",
    triage.ms(r.updated_at) AS "updatedAt", triage.ms(r.reconciled_at) AS "reconciledAt"$columns$;
  pr_columns text := $columns$
    r.id, r.draft_id AS "draftId", r.from_version AS "fromVersion", r.to_version AS "toVersion", r.branch,
    r.has_codemod AS "hasCodemod", r.codemod_summary AS "codemodSummary", r.ci_status AS "ciStatus", r.pr_url AS "prUrl",
    r.pr_state AS "prState", triage.ms(r.created_at) AS "createdAt", triage.ms(r.updated_at) AS "updatedAt",
    triage.ms(r.reconciled_at) AS "reconciledAt", r.repo_id AS "repoId", d.advisory_id AS "advisoryId", d.package,
    o.owner AS "repoOwner", o.repo AS "repoName"$columns$;
  pr_joins text := $joins$
    CROSS JOIN LATERAL (
      SELECT f.advisory_id, f.package FROM triage.fix_drafts f
      WHERE f.user_id = caller AND f.repo_id = r.repo_id AND f.id = r.draft_id LIMIT 1) d
    CROSS JOIN LATERAL (
      SELECT c.owner, c.repo FROM triage.repos c WHERE c.user_id = caller AND c.id = r.repo_id LIMIT 1) o$joins$;
BEGIN
  FOR one IN
    SELECT * FROM (VALUES
      ('findings', 'findings', 'fix_drafts', 'discovered_at', '', finding_columns, ''),
      ('findings_of_repo', 'findings', 'fix_drafts', 'discovered_at', 'AND r.repo_id = repo', finding_columns, ''),
      ('prs', 'prs', 'pull_requests', 'created_at', '', pr_columns, pr_joins),
      ('prs_of_repo', 'prs', 'pull_requests', 'created_at', 'AND r.repo_id = repo', pr_columns, pr_joins),
      ('prs_of_status', 'prs', 'pull_requests', 'created_at', 'AND r.pr_status = filter', pr_columns, pr_joins),
      ('prs_of_repo_and_status', 'prs', 'pull_requests', 'created_at', 'AND r.repo_id = repo AND r.pr_status = filter',
        pr_columns, pr_joins)
    ) AS v (name, list, source, at, conditions, columns, joins)
  LOOP
    EXECUTE format($template$
      CREATE FUNCTION triage.page_of_%1$s(
        caller text, repo text, filter text, skip bigint, most bigint, total bigint, stamp bigint, known bigint,
        OUT version bigint, OUT rows json
      ) LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
        SET plan_cache_mode = force_generic_plan SET jit = off SET enable_seqscan = off SET enable_bitmapscan = off
        SET enable_sort = off SET enable_hashjoin = off SET enable_mergejoin = off
      AS $function$
      DECLARE
        start_at timestamptz := 'infinity';
        start_id text := '';
        ids_from_start text[];
        ties bigint[] := '{}';
        is_near_end boolean := skip > 0 AND total - skip <= 2 * most;
      BEGIN
        version := stamp;
        IF is_near_end THEN
          version := hash_array_extended(
            ARRAY(SELECT hash_record_extended(ROW(r.id, r.ctid, r.xmin), 0) FROM triage.%3$s r
              WHERE r.user_id = caller %5$s
              ORDER BY r.%4$s, r.id DESC OFFSET greatest(total - skip - most, 0) LIMIT least(most, total - skip)),
            version);
          IF version = known THEN RETURN; END IF;
        END IF;
        IF skip > 0 THEN
          IF total - skip <= triage.rows_per_mark() / 2 THEN
            SELECT r.%4$s, r.id INTO start_at, start_id FROM triage.%3$s r
            WHERE r.user_id = caller %5$s
            ORDER BY r.%4$s, r.id DESC OFFSET total - skip - 1 LIMIT 1;
          ELSE
            IF skip > triage.rows_per_mark() / 2 THEN
              SELECT m.at, m.id, m.skip INTO start_at, start_id, skip
              FROM triage.nearest_mark(caller, '%2$s', coalesce(repo, ''), coalesce(filter, ''), skip) m;
            END IF;
            IF start_at < 'infinity' THEN
              ids_from_start := ARRAY(SELECT r.id FROM triage.%3$s r
                WHERE r.user_id = caller %5$s AND r.%4$s = start_at AND r.id >= start_id
                ORDER BY r.%4$s DESC, r.id LIMIT skip + 1);
            END IF;
            IF cardinality(ids_from_start) > skip THEN
              start_id := ids_from_start[skip + 1];
            ELSE
              SELECT r.%4$s, r.id INTO start_at, start_id FROM triage.%3$s r
              WHERE r.user_id = caller %5$s AND r.%4$s < start_at
              ORDER BY r.%4$s DESC, r.id OFFSET skip - coalesce(cardinality(ids_from_start), 0) LIMIT 1;
            END IF;
          END IF;
          ties := ARRAY(SELECT hash_record_extended(ROW(r.id, r.ctid, r.xmin), 0) FROM triage.%3$s r
            WHERE r.user_id = caller %5$s AND r.%4$s = start_at AND r.id >= start_id
            ORDER BY r.%4$s DESC, r.id LIMIT most);
        END IF;
        IF NOT is_near_end THEN
          IF skip > 0 THEN version := hash_array_extended(ties, version); END IF;
          version := hash_array_extended(
            ARRAY(SELECT hash_record_extended(ROW(r.id, r.ctid, r.xmin), 0) FROM triage.%3$s r
              WHERE r.user_id = caller %5$s AND r.%4$s < start_at
              ORDER BY r.%4$s DESC, r.id LIMIT most - cardinality(ties)),
            version);
          IF version = known THEN RETURN; END IF;
        END IF;
        SELECT json_agg(shown ORDER BY at DESC, shown.id) INTO rows
        FROM (
          SELECT r.%4$s AS at, %6$s
          FROM (
            (SELECT r.* FROM triage.%3$s r
              WHERE r.user_id = caller %5$s AND r.%4$s = start_at AND r.id >= start_id
              ORDER BY r.%4$s DESC, r.id LIMIT cardinality(ties))
            UNION ALL
            (SELECT r.* FROM triage.%3$s r
              WHERE r.user_id = caller %5$s AND r.%4$s < start_at
              ORDER BY r.%4$s DESC, r.id LIMIT most - cardinality(ties))
          ) r %7$s
        ) shown;
      END $function$
    $template$, one.name, one.list, one.source, one.at, one.conditions, one.columns, one.joins);
  END LOOP;
END $$;

-- A page of a caller's findings, of one repository where `repo` is given. `caller` is null where there is nobody with these
-- credentials. `rows` is null where `known` is the version of the page, and where there are none.
CREATE FUNCTION triage.read_findings(
  INOUT caller text, session_hash text, token_hash text, now text, known bigint, repo text, skip bigint, most bigint,
  OUT use_due boolean, OUT total bigint, OUT version bigint, OUT rows json
) LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  who record;
  asked_for text;
  page record;
BEGIN
  use_due := false;
  IF caller IS NULL THEN
    who := triage.identify(session_hash, token_hash, now);
    caller := who.user_id;
    use_due := who.use_due;
    IF caller IS NULL THEN RETURN; END IF;
  END IF;
  asked_for := set_config('triage.user_id', caller, true);
  total := CASE WHEN repo = '' THEN 0 ELSE triage.rows_in(caller, 'findings', coalesce(repo, ''), '') END;
  version := hash_array_extended(ARRAY[total], triage.database_key());
  IF skip >= total THEN RETURN; END IF;
  IF repo IS NULL THEN
    page := triage.page_of_findings(caller, NULL, NULL, skip, most, total, version, known);
  ELSE
    page := triage.page_of_findings_of_repo(caller, repo, NULL, skip, most, total, version, known);
  END IF;
  version := page.version;
  rows := page.rows;
END $$;

-- A page of a caller's pull requests, of one repository and of one status where these are given, with what they show of
-- their drafts and repositories. Otherwise as `read_findings`.
CREATE FUNCTION triage.read_prs(
  INOUT caller text, session_hash text, token_hash text, now text, known bigint, repo text, filter text, skip bigint,
  most bigint, OUT use_due boolean, OUT total bigint, OUT version bigint, OUT rows json
) LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
  SET plan_cache_mode = force_generic_plan SET jit = off SET enable_seqscan = off SET enable_bitmapscan = off
AS $$
DECLARE
  who record;
  asked_for text;
  page record;
BEGIN
  use_due := false;
  IF caller IS NULL THEN
    who := triage.identify(session_hash, token_hash, now);
    caller := who.user_id;
    use_due := who.use_due;
    IF caller IS NULL THEN RETURN; END IF;
  END IF;
  asked_for := set_config('triage.user_id', caller, true);
  total := CASE WHEN repo = '' THEN 0 ELSE triage.rows_in(caller, 'prs', coalesce(repo, ''), coalesce(filter, '')) END;
  -- What a page shows besides its own rows changes rarely, and is counted for all pages alike.
  version := hash_array_extended(
    ARRAY[
      total,
      coalesce((
        SELECT l.renames FROM triage.lists l
        WHERE l.user_id = caller AND l.list = 'prs' AND l.repo_id = '' AND l.status = ''), 0)
        + coalesce((
        SELECT sum(c.renamed) FROM triage.changes c WHERE c.user_id = caller AND c.list = 'prs' AND c.renamed <> 0), 0)],
    triage.database_key());
  IF skip >= total THEN RETURN; END IF;
  IF repo IS NULL AND filter IS NULL THEN
    page := triage.page_of_prs(caller, NULL, NULL, skip, most, total, version, known);
  ELSIF filter IS NULL THEN
    page := triage.page_of_prs_of_repo(caller, repo, NULL, skip, most, total, version, known);
  ELSIF repo IS NULL THEN
    page := triage.page_of_prs_of_status(caller, NULL, filter, skip, most, total, version, known);
  ELSE
    page := triage.page_of_prs_of_repo_and_status(caller, repo, filter, skip, most, total, version, known);
  END IF;
  version := page.version;
  rows := page.rows;
END $$;

-- One finding with the number of its pull requests; `rows` is null where the caller has none with this id.
CREATE FUNCTION triage.read_finding(
  INOUT caller text, session_hash text, token_hash text, now text, known bigint, finding_id text,
  OUT use_due boolean, OUT total bigint, OUT version bigint, OUT rows json
) LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
  -- Planned for tables as large as they are: any index that begins with the tenant looks as good as the key while they are small.
  SET plan_cache_mode = force_custom_plan SET enable_seqscan = off SET enable_bitmapscan = off
AS $$
DECLARE
  who record;
  asked_for text;
  prs bigint;
BEGIN
  use_due := false;
  IF caller IS NULL THEN
    who := triage.identify(session_hash, token_hash, now);
    caller := who.user_id;
    use_due := who.use_due;
    IF caller IS NULL THEN RETURN; END IF;
  END IF;
  asked_for := set_config('triage.user_id', caller, true);
  SELECT hash_record_extended(ROW(d.id, d.ctid, d.xmin), 0), (
    SELECT count(*) FROM triage.pull_requests p
    WHERE p.user_id = caller AND p.repo_id = d.repo_id AND p.draft_id = d.id)
  INTO version, prs FROM triage.fix_drafts d WHERE d.user_id = caller AND d.id = finding_id LIMIT 1;
  total := CASE WHEN FOUND THEN 1 ELSE 0 END;
  version := hash_array_extended(ARRAY[version, total, prs], triage.database_key());
  IF version = known THEN RETURN; END IF;
  SELECT json_agg(shown) INTO rows
  FROM (
    SELECT d.id, d.repo_id AS "repoId", d.advisory_id AS "advisoryId", d.package, d.ecosystem,
      d.vulnerable_range AS "vulnerableRange", d.fixed_range AS "fixedRange", d.severity, d.reachability,
      d.exploit_signal AS "exploitSignal", d.status, d.ci_status AS "ciStatus",
      triage.ms(d.discovered_at) AS "discoveredAt", triage.ms(d.updated_at) AS "updatedAt",
      triage.ms(d.reconciled_at) AS "reconciledAt", prs AS "prCount"
    FROM triage.fix_drafts d WHERE d.user_id = caller AND d.id = finding_id LIMIT 1) AS shown;
END $$;

-- The repositories of a caller with what is derived for each, one JSON each, in no order.
CREATE FUNCTION triage.repos_of(caller text)
  RETURNS TABLE (last_scan_at timestamptz, id text, version bigint, shown json)
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
  SET plan_cache_mode = force_generic_plan SET jit = off SET enable_seqscan = off SET enable_bitmapscan = off
  SET enable_sort = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
DECLARE
  -- By repository, what is not folded yet: open pull requests, and open advisories.
  came_prs jsonb;
  came_advisories jsonb;
BEGIN
  SELECT coalesce(jsonb_object_agg(c.repo_id, c.rows), '{}') INTO came_prs
  FROM (
    SELECT c.repo_id, sum(c.rows) AS rows FROM triage.changes c
    WHERE c.user_id = caller AND c.list = 'prs' AND c.status = 'open' GROUP BY 1
  ) c;
  SELECT coalesce(jsonb_object_agg(c.repo_id, c.advisories), '{}') INTO came_advisories
  FROM (
    -- An advisory is open where at least one draft leaves it open.
    SELECT o.repo_id, sum((coalesce(a.open, 0) + o.open > 0)::integer - (coalesce(a.open, 0) > 0)::integer) AS advisories
    FROM (
      SELECT c.repo_id, c.advisory, sum(c.open) AS open FROM triage.changes c
      WHERE c.user_id = caller AND c.list = 'findings' AND c.advisory IS NOT NULL GROUP BY 1, 2
    ) o
    LEFT JOIN LATERAL (
      SELECT v.open FROM triage.advisories v
      WHERE v.user_id = caller AND v.repo_id = o.repo_id AND v.advisory = o.advisory LIMIT 1) a ON true
    GROUP BY 1
  ) c;
  RETURN QUERY
  SELECT x.started_at::timestamptz, x.id::text,
    hash_record_extended(ROW(x.id, x.place, x.row_version, x.scan_id, x.scan_place, x.scan_version, x.open_prs, x.open_advisories,
      open_draft.draft_id), 0),
    json_build_object(
      'id', x.id, 'owner', x.owner, 'repo', x.repo, 'defaultBranch', x.default_branch, 'isDemoRow', x.is_demo_row,
      'scanStatusBadge', x.scan_status_badge, 'status', x.status, 'lastScan', x.scan, 'openPrCount', x.open_prs,
      'openAdvisoryCount', x.open_advisories, 'openFixDraftId', open_draft.draft_id)
  FROM (
    SELECT r.*, r.ctid AS place, r.xmin AS row_version, s.id AS scan_id, s.place AS scan_place, s.row_version AS scan_version,
      s.started_at, s.scan,
      coalesce((
        SELECT l.rows FROM triage.lists l
        WHERE l.user_id = caller AND l.list = 'prs' AND l.repo_id = r.id AND l.status = 'open'), 0)
        + coalesce((came_prs ->> r.id)::bigint, 0) AS open_prs,
      coalesce((
        SELECT l.open_advisories FROM triage.lists l
        WHERE l.user_id = caller AND l.list = 'findings' AND l.repo_id = r.id AND l.status = ''), 0)
        + coalesce((came_advisories ->> r.id)::bigint, 0) AS open_advisories
    FROM triage.repos r
    LEFT JOIN LATERAL (
      SELECT l.id, l.ctid AS place, l.xmin AS row_version, l.started_at, json_build_object(
          'id', l.id, 'repoId', l.repo_id, 'startedAt', triage.ms(l.started_at), 'finishedAt', triage.ms(l.finished_at),
          'status', l.status, 'findingsSeen', l.findings_seen, 'draftsOpened', l.drafts_opened, 'error', l.error) AS scan
      FROM triage.scans l WHERE l.user_id = caller AND l.repo_id = r.id
      ORDER BY l.started_at DESC, l.id DESC LIMIT 1) s ON true
    WHERE r.user_id = caller
    -- Else each use of a count would look it up again.
    OFFSET 0
  ) x
  LEFT JOIN LATERAL (
    SELECT o.draft_id FROM triage.pull_requests o
    WHERE x.open_prs > 0 AND o.user_id = caller AND o.repo_id = x.id AND o.pr_status = 'open'
    ORDER BY o.updated_at DESC, o.id LIMIT 1) open_draft ON true;
END $$;

-- The repositories of a caller in rows of up to `chunk`, so that no JSON text grows with the tenant. Of one version all have
-- the same; `rows` is null in the only row where it is `known`.
CREATE FUNCTION triage.read_repos(
  known_caller text, session_hash text, token_hash text, now text, known bigint, chunk bigint
) RETURNS TABLE (caller text, use_due boolean, total bigint, version bigint, rows json)
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  who record;
  asked_for text;
BEGIN
  caller := known_caller;
  use_due := false;
  IF caller IS NULL THEN
    who := triage.identify(session_hash, token_hash, now);
    caller := who.user_id;
    use_due := who.use_due;
    IF caller IS NULL THEN RETURN; END IF;
  END IF;
  asked_for := set_config('triage.user_id', caller, true);
  RETURN QUERY
  WITH found AS MATERIALIZED (
    SELECT row_number() OVER (ORDER BY f.last_scan_at DESC NULLS LAST, f.id COLLATE "C") AS n, f.version, f.shown
    FROM triage.repos_of(read_repos.caller) f
  ),
  whole AS (
    SELECT count(*) AS total,
      hash_array_extended(coalesce(array_agg(f.version ORDER BY f.n), '{}'), triage.database_key()) AS version
    FROM found f
  )
  SELECT read_repos.caller, read_repos.use_due, w.total, w.version, c.rows FROM whole w
  LEFT JOIN LATERAL (
    SELECT (f.n - 1) / chunk AS number, json_agg(f.shown ORDER BY f.n) AS rows FROM found f
    WHERE w.version IS DISTINCT FROM known GROUP BY 1
  ) c ON true
  ORDER BY c.number;
END $$;
