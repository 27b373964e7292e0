-- Counts without locks. Who writes rows appends what that changes to `changes`, and nobody waits for anybody: no row is
-- updated. Now and then somebody folds the changes of a tenant into `lists`, `marks` and `advisories`. At every moment, for
-- every snapshot:
--
--   what there is = what is folded + the changes that are not
--
-- since a row and its change commit together, and so do folded counts and the deletion of what was folded. So readers add
-- both, and counts may be made anew at any time, without stopping writers: what there is - the changes that are not folded.
--
-- Nothing here refers to the tables of rows: what is derived must not make a deletion wait, nor be deleted by it twice.

-- What changed. `rows`: rows that came to a list (1) or left it (-1) at a position of its order. `open`: unresolved drafts
-- of an advisory that came or went.
CREATE TABLE triage.changes (
  user_id text COLLATE "C" NOT NULL,
  list text COLLATE "C" NOT NULL CHECK (list IN ('findings', 'prs')),
  repo_id text COLLATE "C" NOT NULL,
  -- The filter value of a pull request; empty: none.
  status text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL,
  id text COLLATE "C" NOT NULL,
  rows smallint NOT NULL,
  -- Hash of the advisory's id, which may be of any length.
  advisory bytea,
  open smallint NOT NULL DEFAULT 0,
  -- 1: what pull requests show of a draft or a repository has another name.
  renamed smallint NOT NULL DEFAULT 0
) WITH (
  -- Rows come and go all the time.
  autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_insert_threshold = 1000, autovacuum_vacuum_insert_scale_factor = 0,
  autovacuum_analyze_threshold = 1000000, autovacuum_vacuum_cost_delay = 0
);

CREATE INDEX changes_of_tenant ON triage.changes (user_id, list);

-- The lists that the API pages through, and how many rows each has. Of all repositories: `repo_id` is empty; of any status:
-- `status` is empty.
CREATE TABLE triage.lists (
  user_id text COLLATE "C" NOT NULL,
  list text COLLATE "C" NOT NULL,
  repo_id text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  rows bigint NOT NULL,
  -- Distinct advisories of unresolved drafts; only for the findings of one repository.
  open_advisories bigint NOT NULL,
  -- How often something had another name; only for all pull requests.
  renames bigint NOT NULL DEFAULT 0,
  has_marks boolean NOT NULL DEFAULT false,
  PRIMARY KEY (user_id, list, repo_id, status)
) WITH (fillfactor = 70);

-- Positions in long lists, and how many rows there are from each to the next: a page deep in a list is found from the mark
-- before it. The first mark of a list is at infinity.
CREATE TABLE triage.marks (
  user_id text COLLATE "C" NOT NULL,
  list text COLLATE "C" NOT NULL,
  repo_id text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL,
  id text COLLATE "C" NOT NULL,
  rows integer NOT NULL
) WITH (fillfactor = 70);

CREATE UNIQUE INDEX marks_in_order ON triage.marks (user_id, list, repo_id, status, at DESC, id);

-- By how many unresolved drafts an advisory is open in a repository.
CREATE TABLE triage.advisories (
  user_id text COLLATE "C" NOT NULL,
  repo_id text COLLATE "C" NOT NULL,
  advisory bytea NOT NULL,
  open bigint NOT NULL,
  PRIMARY KEY (user_id, repo_id, advisory)
) WITH (fillfactor = 70);

-- How many rows there are from one mark of a list to the next when they are made; half as many again may come between them.
-- Half of it is walked on average to find a page, and a list of a million rows has five hundred marks to add up.
CREATE FUNCTION triage.rows_per_mark() RETURNS bigint LANGUAGE sql IMMUTABLE RETURN 2000;

-- A list of more rows than this has marks, and a mark with more rows is split.
CREATE FUNCTION triage.most_rows_per_mark() RETURNS bigint LANGUAGE sql IMMUTABLE RETURN 3000;

CREATE FUNCTION triage.advisory_key(advisory_id text) RETURNS bytea LANGUAGE sql IMMUTABLE
RETURN sha256(convert_to(advisory_id, 'UTF8'));

-- Writing.

-- The changes that one row makes. A transaction that writes a great many rows of a tenant may set `triage.counts_itself` to `on`,
-- and call `recount` in the end.
--
-- Row by row, so that a statement that finds no row costs nothing, and for updates of these columns alone, so that others cost
-- nothing either. The conditions stand in the functions: PostgreSQL would parse that of a trigger anew in each statement.
CREATE FUNCTION triage.fix_draft_changed() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF current_setting('triage.counts_itself', true) = 'on' THEN RETURN NULL; END IF;
  IF TG_OP = 'UPDATE' THEN
    -- Pull requests show the advisory and the package of their draft.
    IF OLD.advisory_id <> NEW.advisory_id OR OLD.package <> NEW.package THEN
      INSERT INTO triage.changes (user_id, list, repo_id, status, at, id, rows, renamed)
      VALUES (NEW.user_id, 'prs', '', '', '-infinity', '', 0, 1);
    END IF;
    IF OLD.repo_id = NEW.repo_id AND OLD.discovered_at = NEW.discovered_at AND OLD.id = NEW.id AND OLD.user_id = NEW.user_id
      AND OLD.advisory_id = NEW.advisory_id
    THEN
      -- It stays where it is.
      IF (OLD.status = 'resolved') <> (NEW.status = 'resolved') THEN
        INSERT INTO triage.changes (user_id, list, repo_id, status, at, id, rows, advisory, open)
        VALUES (NEW.user_id, 'findings', NEW.repo_id, '', NEW.discovered_at, NEW.id, 0,
          triage.advisory_key(NEW.advisory_id), CASE WHEN NEW.status = 'resolved' THEN -1 ELSE 1 END);
      END IF;
      RETURN NULL;
    END IF;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO triage.changes (user_id, list, repo_id, status, at, id, rows, advisory, open)
    VALUES (OLD.user_id, 'findings', OLD.repo_id, '', OLD.discovered_at, OLD.id, -1,
      CASE WHEN OLD.status <> 'resolved' THEN triage.advisory_key(OLD.advisory_id) END,
      CASE WHEN OLD.status <> 'resolved' THEN -1 ELSE 0 END);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO triage.changes (user_id, list, repo_id, status, at, id, rows, advisory, open)
    VALUES (NEW.user_id, 'findings', NEW.repo_id, '', NEW.discovered_at, NEW.id, 1,
      CASE WHEN NEW.status <> 'resolved' THEN triage.advisory_key(NEW.advisory_id) END,
      CASE WHEN NEW.status <> 'resolved' THEN 1 ELSE 0 END);
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION triage.pull_request_changed() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF current_setting('triage.counts_itself', true) = 'on' THEN RETURN NULL; END IF;
  IF TG_OP = 'UPDATE' AND OLD.repo_id = NEW.repo_id AND OLD.created_at = NEW.created_at AND OLD.id = NEW.id
    AND OLD.user_id = NEW.user_id AND OLD.pr_status IS NOT DISTINCT FROM NEW.pr_status
  THEN
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO triage.changes (user_id, list, repo_id, status, at, id, rows)
    VALUES (OLD.user_id, 'prs', OLD.repo_id, coalesce(OLD.pr_status, ''), OLD.created_at, OLD.id, -1);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO triage.changes (user_id, list, repo_id, status, at, id, rows)
    VALUES (NEW.user_id, 'prs', NEW.repo_id, coalesce(NEW.pr_status, ''), NEW.created_at, NEW.id, 1);
  END IF;
  RETURN NULL;
END $$;

-- Pull requests show the name of their repository.
CREATE FUNCTION triage.repo_changed() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF OLD.owner <> NEW.owner OR OLD.repo <> NEW.repo THEN
    INSERT INTO triage.changes (user_id, list, repo_id, status, at, id, rows, renamed)
    VALUES (NEW.user_id, 'prs', '', '', '-infinity', '', 0, 1);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER fix_draft_changed
  AFTER INSERT OR DELETE OR UPDATE OF user_id, id, repo_id, discovered_at, advisory_id, package, status ON triage.fix_drafts
  FOR EACH ROW EXECUTE FUNCTION triage.fix_draft_changed();
-- `pr_status` follows `pr_state`.
CREATE TRIGGER pull_request_changed
  AFTER INSERT OR DELETE OR UPDATE OF user_id, id, repo_id, created_at, pr_state ON triage.pull_requests
  FOR EACH ROW EXECUTE FUNCTION triage.pull_request_changed();
CREATE TRIGGER repo_changed AFTER UPDATE OF owner, repo ON triage.repos
  FOR EACH ROW EXECUTE FUNCTION triage.repo_changed();

-- What is truncated leaves nothing to count from, and is not seen by the snapshot of a transaction that began before: there,
-- changes that others have committed meanwhile would stay behind.
CREATE FUNCTION triage.counted_rows_truncated() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted') THEN
    RAISE EXCEPTION 'TRUNCATE of % takes a transaction of level READ COMMITTED', TG_TABLE_NAME
      USING ERRCODE = 'feature_not_supported';
  END IF;
  -- Whoever folds has finished then, and the statements that follow see it.
  LOCK TABLE triage.changes, triage.lists, triage.marks, triage.advisories IN SHARE ROW EXCLUSIVE MODE;
  IF TG_TABLE_NAME = 'fix_drafts' THEN
    DELETE FROM triage.changes WHERE list = 'findings';
    DELETE FROM triage.lists WHERE list = 'findings';
    DELETE FROM triage.marks WHERE list = 'findings';
    DELETE FROM triage.advisories;
  ELSE
    DELETE FROM triage.changes WHERE list = 'prs';
    DELETE FROM triage.lists WHERE list = 'prs';
    DELETE FROM triage.marks WHERE list = 'prs';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER counted_rows_truncated AFTER TRUNCATE ON triage.fix_drafts
  EXECUTE FUNCTION triage.counted_rows_truncated();
CREATE TRIGGER counted_rows_truncated AFTER TRUNCATE ON triage.pull_requests
  EXECUTE FUNCTION triage.counted_rows_truncated();

-- Folding.

-- The lists that a row is in: of all repositories or its own, with any status or its own (empty: it has none).
CREATE FUNCTION triage.lists_of(repo text, status text) RETURNS TABLE (repo_id text, status_filter text)
  LANGUAGE sql IMMUTABLE
BEGIN ATOMIC
  SELECT r.repo_id, s.status
  FROM unnest(ARRAY['', lists_of.repo]) AS r (repo_id),
    unnest(CASE WHEN lists_of.status = '' THEN ARRAY[''] ELSE ARRAY['', lists_of.status] END) AS s (status);
END;

-- The lock of whoever folds or counts a tenant. Writers and readers never take it.
CREATE FUNCTION triage.fold_key(tenant text) RETURNS bigint LANGUAGE sql IMMUTABLE
RETURN hashtextextended('triage: counts of ' || tenant, 0);

-- The rows of a list, as a query with the parameters $1 (tenant), $2 (repository) and $3 (status).
CREATE FUNCTION triage.rows_of_list(list text, repo text, status text) RETURNS text LANGUAGE sql IMMUTABLE
RETURN CASE list
    WHEN 'findings' THEN 'SELECT discovered_at AS at, id FROM triage.fix_drafts WHERE user_id = $1'
    ELSE 'SELECT created_at AS at, id FROM triage.pull_requests WHERE user_id = $1'
  END
  || CASE WHEN repo = '' THEN '' ELSE ' AND repo_id = $2' END
  || CASE WHEN status = '' THEN '' ELSE ' AND pr_status = $3' END;

-- Makes the marks anew from one position of a list to another (null: to its end).
CREATE FUNCTION triage.make_marks(
  tenant text, list text, repo text, status text, from_at timestamptz, from_id text, to_at timestamptz, to_id text
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  DELETE FROM triage.marks m
  WHERE m.user_id = tenant AND m.list = make_marks.list AND m.repo_id = repo AND m.status = make_marks.status
    AND m.at <= from_at AND (m.at < from_at OR m.id >= from_id)
    AND (to_at IS NULL OR m.at > to_at OR m.at = to_at AND m.id < to_id);
  -- One statement, and so one snapshot, for the rows and for the changes that are not folded.
  EXECUTE format($query$
    WITH there AS (
      SELECT r.at, r.id, row_number() OVER (ORDER BY r.at DESC, r.id) - 1 AS n FROM (%s) r
      WHERE r.at <= $5 AND (r.at < $5 OR r.id >= $6)
        AND r.at >= coalesce($7, '-infinity') AND ($7 IS NULL OR r.at > $7 OR r.id < $8)
    ),
    starts AS (
      SELECT $5 AS at, $6 AS id, 0::bigint AS mark
      UNION ALL
      SELECT t.at, t.id::text, t.n / $9 FROM there t WHERE t.n > 0 AND t.n %% $9 = 0
    ),
    counted AS (
      SELECT c.mark, sum(c.rows) AS rows FROM (
        SELECT t.n / $9 AS mark, count(*) AS rows FROM there t GROUP BY 1
        UNION ALL
        SELECT (
            SELECT max(s.mark) FROM starts s WHERE s.at > c.at OR s.at = c.at AND s.id <= c.id COLLATE "C"),
          -c.rows
        FROM triage.changes c
        WHERE c.user_id = $1 AND c.list = $4 AND ($2 = '' OR c.repo_id = $2) AND ($3 = '' OR c.status = $3)
          AND c.at <= $5 AND (c.at < $5 OR c.id >= $6) AND ($7 IS NULL OR c.at > $7 OR c.at = $7 AND c.id < $8)
      ) c
      GROUP BY 1
    )
    INSERT INTO triage.marks (user_id, list, repo_id, status, at, id, rows)
    SELECT $1, $4, $2, $3, s.at, s.id, coalesce(c.rows, 0) FROM starts s LEFT JOIN counted c USING (mark)
  $query$, triage.rows_of_list(list, repo, status))
  USING tenant, repo, status, list, from_at, from_id, to_at, to_id, triage.rows_per_mark();
END $$;

-- Looks after the marks of a list whose number of rows has changed.
CREATE FUNCTION triage.tend_marks(tenant text, list text, repo text, status text)
  RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  per_mark bigint := triage.rows_per_mark();
  there bigint;
  had boolean;
  needs boolean;
  marks bigint := 0;
BEGIN
  SELECT l.rows, l.has_marks INTO there, had FROM triage.lists l
  WHERE l.user_id = tenant AND l.list = tend_marks.list AND l.repo_id = repo AND l.status = tend_marks.status;
  needs := coalesce(there, 0) > triage.most_rows_per_mark();
  IF NOT needs AND NOT coalesce(had, false) THEN RETURN; END IF;
  SELECT count(*) INTO marks FROM triage.marks m
  WHERE m.user_id = tenant AND m.list = tend_marks.list AND m.repo_id = repo AND m.status = tend_marks.status;
  IF NOT needs THEN
    DELETE FROM triage.marks m
    WHERE m.user_id = tenant AND m.list = tend_marks.list AND m.repo_id = repo AND m.status = tend_marks.status;
  ELSIF marks = 0 OR marks > 8 + 4 * there / per_mark THEN
    -- None yet, or many that have hardly any rows left.
    PERFORM triage.make_marks(tenant, list, repo, status, 'infinity', '', NULL, NULL);
  END IF;
  IF needs <> had THEN
    UPDATE triage.lists l SET has_marks = needs
    WHERE l.user_id = tenant AND l.list = tend_marks.list AND l.repo_id = repo AND l.status = tend_marks.status;
  END IF;
END $$;

-- Folds changes of a tenant, at most so many; how many it were. None: there are none, or somebody else is at it.
CREATE FUNCTION triage.fold_tenant(tenant text, most bigint) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
DECLARE
  folded bigint;
  touched json;
  crowded json;
  emptied json;
  closed json;
  item record;
BEGIN
  IF NOT pg_try_advisory_xact_lock(triage.fold_key(tenant)) THEN RETURN 0; END IF;
  WITH gone AS (
    DELETE FROM triage.changes c
    WHERE c.ctid = ANY (ARRAY(SELECT p.ctid FROM triage.changes p WHERE p.user_id = tenant LIMIT most))
    RETURNING c.*
  ),
  opened AS (
    SELECT g.repo_id, g.advisory, sum(g.open) AS open FROM gone g
    WHERE g.advisory IS NOT NULL GROUP BY 1, 2 HAVING sum(g.open) <> 0
  ),
  open_now AS (
    INSERT INTO triage.advisories AS a (user_id, repo_id, advisory, open)
    SELECT tenant, o.repo_id, o.advisory, o.open FROM opened o
    ON CONFLICT (user_id, repo_id, advisory) DO UPDATE SET open = a.open + excluded.open
    RETURNING a.repo_id, a.advisory, a.open
  ),
  listed AS (
    SELECT g.list, l.repo_id, l.status_filter AS status, g.at, g.id, g.rows
    FROM gone g CROSS JOIN LATERAL triage.lists_of(g.repo_id, g.status) l
    WHERE g.rows <> 0
  ),
  counted AS (
    SELECT c.list, c.repo_id, c.status, sum(c.rows) AS rows, sum(c.advisories) AS advisories, sum(c.renamed) AS renamed
    FROM (
      SELECT l.list, l.repo_id, l.status, l.rows, 0 AS advisories, 0 AS renamed FROM listed l
      UNION ALL
      -- An advisory is open where at least one draft leaves it open.
      SELECT 'findings', o.repo_id, '', 0, (n.open > 0)::integer - (n.open - o.open > 0)::integer, 0
      FROM opened o JOIN open_now n USING (repo_id, advisory)
      UNION ALL
      SELECT 'prs', '', '', 0, 0, g.renamed FROM gone g WHERE g.renamed <> 0
    ) c
    GROUP BY 1, 2, 3 HAVING sum(c.rows) <> 0 OR sum(c.advisories) <> 0 OR sum(c.renamed) <> 0
  ),
  lists_now AS (
    INSERT INTO triage.lists AS l (user_id, list, repo_id, status, rows, open_advisories, renames)
    SELECT tenant, c.list, c.repo_id, c.status, c.rows, c.advisories, c.renamed FROM counted c
    ON CONFLICT (user_id, list, repo_id, status) DO UPDATE
    SET rows = l.rows + excluded.rows, open_advisories = l.open_advisories + excluded.open_advisories,
      renames = l.renames + excluded.renames
    RETURNING l.list, l.repo_id, l.status, l.rows, l.open_advisories, l.has_marks
  ),
  marked AS (
    SELECT l.list, l.repo_id, l.status, m.at, m.id, sum(l.rows) AS rows
    FROM listed l
    CROSS JOIN LATERAL (
      SELECT m.at, m.id FROM triage.marks m
      WHERE m.user_id = tenant AND m.list = l.list AND m.repo_id = l.repo_id AND m.status = l.status
        AND m.at >= l.at AND (m.at > l.at OR m.id <= l.id)
      ORDER BY m.at, m.id DESC LIMIT 1
    ) m
    GROUP BY 1, 2, 3, 4, 5 HAVING sum(l.rows) <> 0
  ),
  marks_now AS (
    UPDATE triage.marks m SET rows = m.rows + d.rows FROM marked d
    WHERE m.user_id = tenant AND m.list = d.list AND m.repo_id = d.repo_id AND m.status = d.status
      AND m.at = d.at AND m.id = d.id
    RETURNING m.list, m.repo_id, m.status, m.at, m.id, m.rows
  )
  SELECT (SELECT count(*) FROM gone),
    (SELECT json_agg(l) FROM lists_now l WHERE l.has_marks OR l.rows > triage.most_rows_per_mark()),
    (SELECT json_agg(m) FROM marks_now m WHERE m.rows > triage.most_rows_per_mark()),
    (SELECT json_agg(l) FROM lists_now l WHERE l.rows = 0 AND l.open_advisories = 0),
    (SELECT json_agg(n) FROM open_now n WHERE n.open = 0)
  INTO folded, touched, crowded, emptied, closed;
  IF folded = 0 THEN RETURN 0; END IF;

  FOR item IN
    SELECT m.list, m.repo_id, m.status, m.at, m.id, after.at AS to_at, after.id AS to_id
    FROM json_to_recordset(crowded) AS m (list text, repo_id text, status text, at timestamptz, id text)
    LEFT JOIN LATERAL (
      SELECT n.at, n.id FROM triage.marks n
      WHERE n.user_id = tenant AND n.list = m.list AND n.repo_id = m.repo_id AND n.status = m.status
        AND n.at <= m.at AND (n.at < m.at OR n.id > m.id)
      ORDER BY n.at DESC, n.id LIMIT 1
    ) after ON true
  LOOP
    PERFORM triage.make_marks(
      tenant, item.list, item.repo_id, item.status, item.at, item.id, item.to_at, item.to_id);
  END LOOP;
  FOR item IN SELECT * FROM json_to_recordset(touched) AS l (list text, repo_id text, status text) LOOP
    PERFORM triage.tend_marks(tenant, item.list, item.repo_id, item.status);
  END LOOP;
  DELETE FROM triage.lists l
  USING json_to_recordset(emptied) AS e (list text, repo_id text, status text)
  WHERE l.user_id = tenant AND l.list = e.list AND l.repo_id = e.repo_id AND l.status = e.status
    AND NOT l.has_marks
    -- It must never count anew: kept answers would take an old name for the new one.
    AND l.renames = 0;
  DELETE FROM triage.advisories a
  USING json_to_recordset(closed) AS e (repo_id text, advisory bytea)
  WHERE a.user_id = tenant AND a.repo_id = e.repo_id AND a.advisory = e.advisory;
  RETURN folded;
END $$;

-- Folds changes of one tenant after the other, in the order of their ids, beginning after `last`. With `most`: about so many
-- in all, and of no tenant so many that others wait long. How many it were, and the tenant to go on after; null: it was the last.
CREATE FUNCTION triage.fold_counts(INOUT last text DEFAULT NULL, most bigint DEFAULT NULL, OUT folded bigint)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  SET enable_seqscan = off SET enable_bitmapscan = off
AS $$
BEGIN
  folded := 0;
  -- Before anything is changed, in the order in which TRUNCATE takes its locks.
  LOCK TABLE triage.fix_drafts, triage.pull_requests IN ACCESS SHARE MODE;
  LOOP
    SELECT c.user_id INTO last FROM triage.changes c WHERE c.user_id > coalesce(last, '')
    ORDER BY c.user_id LIMIT 1;
    EXIT WHEN last IS NULL;
    folded := folded + triage.fold_tenant(last, CASE WHEN most IS NOT NULL THEN least(most, 5000) END);
    EXIT WHEN folded >= most;
  END LOOP;
END $$;

-- Counts a tenant anew, from what there is: after rows were written while the triggers were off, or that came by
-- replication. Waits for nobody who writes, and nobody who writes waits for it.
CREATE FUNCTION triage.recount(tenant text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  item record;
  renamed bigint;
BEGIN
  LOCK TABLE triage.fix_drafts, triage.pull_requests IN ACCESS SHARE MODE;
  PERFORM pg_advisory_xact_lock(triage.fold_key(tenant));
  -- What was written unnoticed may have renamed something, too.
  WITH gone AS (DELETE FROM triage.changes c WHERE c.user_id = tenant RETURNING c.renamed)
  SELECT 1 + coalesce(sum(g.renamed), 0) INTO renamed FROM gone g;
  renamed := renamed + coalesce((SELECT sum(l.renames) FROM triage.lists l WHERE l.user_id = tenant), 0);
  DELETE FROM triage.lists l WHERE l.user_id = tenant;
  DELETE FROM triage.marks m WHERE m.user_id = tenant;
  DELETE FROM triage.advisories a WHERE a.user_id = tenant;
  INSERT INTO triage.advisories (user_id, repo_id, advisory, open)
  SELECT tenant, o.repo_id, o.advisory, sum(o.open) FROM (
    SELECT d.repo_id, triage.advisory_key(d.advisory_id) AS advisory, 1 AS open FROM triage.fix_drafts d
    WHERE d.user_id = tenant AND d.status <> 'resolved'
    UNION ALL
    SELECT c.repo_id, c.advisory, -c.open FROM triage.changes c WHERE c.user_id = tenant AND c.advisory IS NOT NULL
  ) o
  GROUP BY 2, 3 HAVING sum(o.open) <> 0;
  INSERT INTO triage.lists (user_id, list, repo_id, status, rows, open_advisories)
  SELECT tenant, s.list, s.repo_id, s.status, sum(s.rows), sum(s.advisories) FROM (
    SELECT r.list, l.repo_id, l.status_filter AS status, r.rows, 0 AS advisories FROM (
      SELECT 'findings' AS list, d.repo_id::text, '' AS status, count(*) AS rows FROM triage.fix_drafts d
      WHERE d.user_id = tenant GROUP BY 2
      UNION ALL
      SELECT 'prs', p.repo_id, coalesce(p.pr_status, ''), count(*) FROM triage.pull_requests p
      WHERE p.user_id = tenant GROUP BY 2, 3
      UNION ALL
      SELECT c.list, c.repo_id, c.status, -sum(c.rows) FROM triage.changes c
      WHERE c.user_id = tenant AND c.rows <> 0 GROUP BY 1, 2, 3
    ) r CROSS JOIN LATERAL triage.lists_of(r.repo_id, r.status) l
    UNION ALL
    SELECT 'findings', a.repo_id, '', 0, 1 FROM triage.advisories a WHERE a.user_id = tenant AND a.open > 0
  ) s
  GROUP BY 2, 3, 4 HAVING sum(s.rows) <> 0 OR sum(s.advisories) <> 0;
  UPDATE triage.lists l SET renames = renamed
  WHERE l.user_id = tenant AND l.list = 'prs' AND l.repo_id = '' AND l.status = '';
  FOR item IN
    SELECT l.list, l.repo_id, l.status FROM triage.lists l
    WHERE l.user_id = tenant AND l.rows > triage.most_rows_per_mark()
  LOOP
    PERFORM triage.tend_marks(tenant, item.list, item.repo_id, item.status);
  END LOOP;
END $$;

-- Where the counts of a tenant are not what there is, in one snapshot: none, unless rows were written unnoticed. `counted`: rows,
-- open advisories, or the rows that the marks of a list add up to.
CREATE FUNCTION triage.wrong_counts(tenant text)
  RETURNS TABLE (counted text, list text, repo_id text, status text, told bigint, there bigint)
  LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  WITH there AS (
    SELECT r.list, l.repo_id, l.status_filter AS status, sum(r.rows)::bigint AS rows FROM (
      SELECT 'findings' AS list, d.repo_id::text, '' AS status, count(*) AS rows FROM triage.fix_drafts d
      WHERE d.user_id = tenant GROUP BY 2
      UNION ALL
      SELECT 'prs', p.repo_id, coalesce(p.pr_status, ''), count(*) FROM triage.pull_requests p
      WHERE p.user_id = tenant GROUP BY 2, 3
    ) r CROSS JOIN LATERAL triage.lists_of(r.repo_id, r.status) l
    GROUP BY 1, 2, 3
  ),
  told AS (
    SELECT t.list, t.repo_id, t.status, sum(t.rows)::bigint AS rows FROM (
      SELECT l.list, l.repo_id, l.status, l.rows FROM triage.lists l WHERE l.user_id = tenant
      UNION ALL
      SELECT c.list, l.repo_id, l.status_filter, c.rows FROM triage.changes c
      CROSS JOIN LATERAL triage.lists_of(c.repo_id, c.status) l
      WHERE c.user_id = tenant AND c.rows <> 0
    ) t
    GROUP BY 1, 2, 3
  ),
  open_there AS (
    SELECT d.repo_id::text, count(DISTINCT d.advisory_id) AS advisories FROM triage.fix_drafts d
    WHERE d.user_id = tenant AND d.status <> 'resolved' GROUP BY 1
  ),
  open_told AS (
    SELECT t.repo_id, sum(t.advisories)::bigint AS advisories FROM (
      SELECT l.repo_id, l.open_advisories AS advisories FROM triage.lists l
      WHERE l.user_id = tenant AND l.list = 'findings' AND l.repo_id <> ''
      UNION ALL
      SELECT o.repo_id, (coalesce(a.open, 0) + o.open > 0)::integer - (coalesce(a.open, 0) > 0)::integer
      FROM (
        SELECT c.repo_id, c.advisory, sum(c.open) AS open FROM triage.changes c
        WHERE c.user_id = tenant AND c.advisory IS NOT NULL GROUP BY 1, 2
      ) o
      LEFT JOIN triage.advisories a ON a.user_id = tenant AND a.repo_id = o.repo_id AND a.advisory = o.advisory
    ) t
    GROUP BY 1
  ),
  marked AS (
    SELECT m.list, m.repo_id, m.status, sum(m.rows)::bigint AS rows FROM triage.marks m WHERE m.user_id = tenant GROUP BY 1, 2, 3
  )
  SELECT 'rows', list, repo_id, status, coalesce(t.rows, 0), coalesce(h.rows, 0)
  FROM told t FULL JOIN there h USING (list, repo_id, status) WHERE coalesce(t.rows, 0) <> coalesce(h.rows, 0)
  UNION ALL
  SELECT 'open advisories', 'findings', repo_id, '', coalesce(t.advisories, 0), coalesce(h.advisories, 0)
  FROM open_told t FULL JOIN open_there h USING (repo_id) WHERE coalesce(t.advisories, 0) <> coalesce(h.advisories, 0)
  UNION ALL
  SELECT 'marks', m.list, m.repo_id, m.status, m.rows, coalesce(l.rows, 0)
  FROM marked m LEFT JOIN triage.lists l
    ON l.user_id = tenant AND l.list = m.list AND l.repo_id = m.repo_id AND l.status = m.status
  WHERE m.rows <> coalesce(l.rows, 0)
  ORDER BY 1, 2, 3, 4
$$;

SELECT triage.recount(u.id) FROM triage.users u;

-- What kept the counts before. Last, since readers wait from here on.
DROP TRIGGER repos_came ON triage.repos;
DROP TRIGGER scans_came ON triage.scans;
DROP TRIGGER scans_changed ON triage.scans;
DROP TRIGGER scans_gone ON triage.scans;
DROP TRIGGER scans_truncated ON triage.scans;
DROP TRIGGER fix_drafts_1_move ON triage.fix_drafts;
DROP TRIGGER fix_drafts_2_gone ON triage.fix_drafts;
DROP TRIGGER fix_drafts_3_came ON triage.fix_drafts;
DROP TRIGGER fix_drafts_came ON triage.fix_drafts;
DROP TRIGGER fix_drafts_gone ON triage.fix_drafts;
DROP TRIGGER fix_drafts_truncated ON triage.fix_drafts;
DROP TRIGGER pull_requests_1_move ON triage.pull_requests;
DROP TRIGGER pull_requests_2_gone ON triage.pull_requests;
DROP TRIGGER pull_requests_3_came ON triage.pull_requests;
DROP TRIGGER pull_requests_came ON triage.pull_requests;
DROP TRIGGER pull_requests_gone ON triage.pull_requests;
DROP TRIGGER pull_requests_truncated ON triage.pull_requests;
DROP FUNCTION triage.repos_came, triage.scans_changed, triage.find_last_scans, triage.fix_drafts_came,
  triage.fix_drafts_gone, triage.rows_move, triage.pull_requests_came, triage.pull_requests_gone, triage.rows_truncated,
  triage.count_fix_drafts, triage.count_open_advisories, triage.count_prs, triage.lock_repo_facts;
DROP TABLE triage.repo_facts, triage.open_advisories;
