-- What the lists tell of a repository, kept true by triggers at every change, so that no request counts rows. Statement by
-- statement, so that a million rows in one statement are as many additions as they have repositories. The triggers act as
-- the owner of the schema: who writes rows needs no right to write what is derived from them.

CREATE TABLE triage.repo_facts (
  user_id triage.identifier NOT NULL,
  repo_id triage.identifier NOT NULL,
  last_scan_at triage.moment,
  last_scan_id triage.identifier,
  findings bigint NOT NULL DEFAULT 0,
  prs bigint NOT NULL DEFAULT 0,
  open_prs bigint NOT NULL DEFAULT 0,
  merged_prs bigint NOT NULL DEFAULT 0,
  closed_prs bigint NOT NULL DEFAULT 0,
  open_advisories bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id, repo_id),
  FOREIGN KEY (user_id, repo_id) REFERENCES triage.repos ON DELETE CASCADE
);

CREATE INDEX repos_by_last_scan ON triage.repo_facts (user_id, last_scan_at DESC NULLS LAST, repo_id);

-- By how many unresolved drafts an advisory is open in a repository. An advisory's id may be of any length: its hash is the key.
CREATE TABLE triage.open_advisories (
  user_id triage.identifier NOT NULL,
  repo_id triage.identifier NOT NULL,
  advisory bytea NOT NULL,
  drafts bigint NOT NULL,
  PRIMARY KEY (user_id, repo_id, advisory),
  FOREIGN KEY (user_id, repo_id) REFERENCES triage.repos ON DELETE CASCADE
);

CREATE FUNCTION triage.repos_came() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  INSERT INTO triage.repo_facts (user_id, repo_id) SELECT came.user_id, came.id FROM came;
  RETURN NULL;
END $$;

CREATE TRIGGER repos_came AFTER INSERT ON triage.repos
  REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION triage.repos_came();

-- Locks what is told of some repositories, in the order of their keys, so that changes of the same ones come one after the
-- other. What follows in the same function sees what those before have done: each statement has a new look at the database.
CREATE FUNCTION triage.lock_repo_facts(user_ids text[], repo_ids text[]) RETURNS void
  LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
  PERFORM 1 FROM triage.repo_facts f
  JOIN unnest(user_ids, repo_ids) AS touched (user_id, repo_id) USING (user_id, repo_id)
  ORDER BY f.user_id, f.repo_id FOR UPDATE OF f;
END $$;

-- Looks up the last scan of each of some repositories anew.
CREATE FUNCTION triage.find_last_scans(user_ids text[], repo_ids text[]) RETURNS void
  LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
  PERFORM triage.lock_repo_facts(user_ids, repo_ids);
  UPDATE triage.repo_facts f
  SET last_scan_at = last.started_at, last_scan_id = last.id
  FROM unnest(user_ids, repo_ids) AS touched (user_id, repo_id)
  LEFT JOIN LATERAL (
    SELECT s.started_at, s.id FROM triage.scans s
    WHERE s.user_id = touched.user_id AND s.repo_id = touched.repo_id
    ORDER BY s.started_at DESC, s.id DESC LIMIT 1
  ) last ON true
  WHERE f.user_id = touched.user_id AND f.repo_id = touched.repo_id
    AND (f.last_scan_at, f.last_scan_id) IS DISTINCT FROM (last.started_at, last.id);
END $$;

CREATE FUNCTION triage.scans_changed() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  user_ids text[];
  repo_ids text[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(t.user_id), array_agg(t.repo_id) INTO user_ids, repo_ids
    FROM (SELECT DISTINCT c.user_id, c.repo_id FROM came c ORDER BY 1, 2) t;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(t.user_id), array_agg(t.repo_id) INTO user_ids, repo_ids
    FROM (SELECT DISTINCT g.user_id, g.repo_id FROM gone g ORDER BY 1, 2) t;
  ELSE
    SELECT array_agg(t.user_id), array_agg(t.repo_id) INTO user_ids, repo_ids
    FROM (SELECT c.user_id, c.repo_id FROM came c UNION SELECT g.user_id, g.repo_id FROM gone g ORDER BY 1, 2) t;
  END IF;
  PERFORM triage.find_last_scans(user_ids, repo_ids);
  RETURN NULL;
END $$;

CREATE TRIGGER scans_came AFTER INSERT ON triage.scans
  REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION triage.scans_changed();
CREATE TRIGGER scans_changed AFTER UPDATE ON triage.scans
  REFERENCING OLD TABLE AS gone NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION triage.scans_changed();
CREATE TRIGGER scans_gone AFTER DELETE ON triage.scans
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION triage.scans_changed();

-- Adds fix drafts to what is told of their repositories (sign 1), or takes them away (sign -1).
CREATE FUNCTION triage.count_fix_drafts(sign integer, user_ids text[], repo_ids text[], amounts bigint[])
  RETURNS void LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
  PERFORM triage.lock_repo_facts(user_ids, repo_ids);
  UPDATE triage.repo_facts f SET findings = f.findings + sign * touched.amount
  FROM unnest(user_ids, repo_ids, amounts) AS touched (user_id, repo_id, amount)
  WHERE f.user_id = touched.user_id AND f.repo_id = touched.repo_id;
END $$;

-- The same for the advisories that they leave open.
CREATE FUNCTION triage.count_open_advisories(
  sign integer, user_ids text[], repo_ids text[], advisories bytea[], amounts bigint[]
) RETURNS void LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
  IF sign > 0 THEN
    -- What is counted stands at one or more: where it is as much as was added, it was not there before.
    WITH counted AS (
      INSERT INTO triage.open_advisories AS a (user_id, repo_id, advisory, drafts)
      SELECT * FROM unnest(user_ids, repo_ids, advisories, amounts)
      ON CONFLICT (user_id, repo_id, advisory) DO UPDATE SET drafts = a.drafts + excluded.drafts
      RETURNING a.user_id, a.repo_id, a.advisory, a.drafts
    ),
    opened AS (
      SELECT c.user_id, c.repo_id, count(*) AS amount FROM counted c
      JOIN unnest(user_ids, repo_ids, advisories, amounts) AS touched (user_id, repo_id, advisory, amount)
        USING (user_id, repo_id, advisory)
      WHERE c.drafts = touched.amount GROUP BY 1, 2
    )
    UPDATE triage.repo_facts f SET open_advisories = f.open_advisories + opened.amount FROM opened
    WHERE f.user_id = opened.user_id AND f.repo_id = opened.repo_id;
  ELSE
    UPDATE triage.open_advisories a SET drafts = a.drafts - touched.amount
    FROM unnest(user_ids, repo_ids, advisories, amounts) AS touched (user_id, repo_id, advisory, amount)
    WHERE a.user_id = touched.user_id AND a.repo_id = touched.repo_id AND a.advisory = touched.advisory;
    WITH closed AS (
      DELETE FROM triage.open_advisories a
      USING unnest(user_ids, repo_ids, advisories) AS touched (user_id, repo_id, advisory)
      WHERE a.user_id = touched.user_id AND a.repo_id = touched.repo_id AND a.advisory = touched.advisory
        AND a.drafts = 0
      RETURNING a.user_id, a.repo_id
    )
    UPDATE triage.repo_facts f SET open_advisories = f.open_advisories - c.amount
    FROM (SELECT closed.user_id, closed.repo_id, count(*) AS amount FROM closed GROUP BY 1, 2) c
    WHERE f.user_id = c.user_id AND f.repo_id = c.repo_id;
  END IF;
END $$;

CREATE FUNCTION triage.fix_drafts_came() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  PERFORM triage.count_fix_drafts(1, array_agg(t.user_id), array_agg(t.repo_id), array_agg(t.amount))
  FROM (SELECT c.user_id, c.repo_id, count(*) AS amount FROM came c GROUP BY 1, 2) t HAVING count(*) > 0;
  PERFORM triage.count_open_advisories(
    1, array_agg(t.user_id), array_agg(t.repo_id), array_agg(t.advisory), array_agg(t.amount))
  FROM (
    SELECT c.user_id, c.repo_id, sha256(convert_to(c.advisory_id, 'UTF8')) AS advisory, count(*) AS amount
    FROM came c WHERE c.status <> 'resolved' GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ) t HAVING count(*) > 0;
  RETURN NULL;
END $$;

CREATE FUNCTION triage.fix_drafts_gone() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  PERFORM triage.count_fix_drafts(-1, array_agg(t.user_id), array_agg(t.repo_id), array_agg(t.amount))
  FROM (SELECT g.user_id, g.repo_id, count(*) AS amount FROM gone g GROUP BY 1, 2) t HAVING count(*) > 0;
  PERFORM triage.count_open_advisories(
    -1, array_agg(t.user_id), array_agg(t.repo_id), array_agg(t.advisory), array_agg(t.amount))
  FROM (
    SELECT g.user_id, g.repo_id, sha256(convert_to(g.advisory_id, 'UTF8')) AS advisory, count(*) AS amount
    FROM gone g WHERE g.status <> 'resolved' GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ) t HAVING count(*) > 0;
  RETURN NULL;
END $$;

-- An update may take from some repositories and give to others: all of them are locked first, since two that go opposite ways
-- would else lock each other out.
CREATE FUNCTION triage.rows_move() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  PERFORM triage.lock_repo_facts(array_agg(t.user_id), array_agg(t.repo_id))
  FROM (SELECT c.user_id, c.repo_id FROM came c UNION SELECT g.user_id, g.repo_id FROM gone g) t;
  RETURN NULL;
END $$;

-- Triggers run in the order of their names.
CREATE TRIGGER fix_drafts_1_move AFTER UPDATE ON triage.fix_drafts
  REFERENCING OLD TABLE AS gone NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION triage.rows_move();
CREATE TRIGGER fix_drafts_2_gone AFTER UPDATE ON triage.fix_drafts
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION triage.fix_drafts_gone();
CREATE TRIGGER fix_drafts_3_came AFTER UPDATE ON triage.fix_drafts
  REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION triage.fix_drafts_came();
CREATE TRIGGER fix_drafts_came AFTER INSERT ON triage.fix_drafts
  REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION triage.fix_drafts_came();
CREATE TRIGGER fix_drafts_gone AFTER DELETE ON triage.fix_drafts
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION triage.fix_drafts_gone();

-- Adds pull requests to what is told of their repositories, or takes them away.
CREATE FUNCTION triage.count_prs(
  sign integer, user_ids text[], repo_ids text[], alls bigint[], opens bigint[], mergeds bigint[], closeds bigint[]
) RETURNS void LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
  PERFORM triage.lock_repo_facts(user_ids, repo_ids);
  UPDATE triage.repo_facts f SET
    prs = f.prs + sign * t.alls,
    open_prs = f.open_prs + sign * t.opens,
    merged_prs = f.merged_prs + sign * t.mergeds,
    closed_prs = f.closed_prs + sign * t.closeds
  FROM unnest(user_ids, repo_ids, alls, opens, mergeds, closeds) AS t (user_id, repo_id, alls, opens, mergeds, closeds)
  WHERE f.user_id = t.user_id AND f.repo_id = t.repo_id;
END $$;

CREATE FUNCTION triage.pull_requests_came() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  PERFORM triage.count_prs(1, array_agg(t.user_id), array_agg(t.repo_id), array_agg(t.alls),
    array_agg(t.opens), array_agg(t.mergeds), array_agg(t.closeds))
  FROM (
    SELECT c.user_id, c.repo_id, count(*) AS alls,
      count(*) FILTER (WHERE c.pr_status = 'open') AS opens,
      count(*) FILTER (WHERE c.pr_status = 'merged') AS mergeds,
      count(*) FILTER (WHERE c.pr_status = 'closed') AS closeds
    FROM came c GROUP BY 1, 2
  ) t HAVING count(*) > 0;
  RETURN NULL;
END $$;

CREATE FUNCTION triage.pull_requests_gone() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  PERFORM triage.count_prs(-1, array_agg(t.user_id), array_agg(t.repo_id), array_agg(t.alls),
    array_agg(t.opens), array_agg(t.mergeds), array_agg(t.closeds))
  FROM (
    SELECT g.user_id, g.repo_id, count(*) AS alls,
      count(*) FILTER (WHERE g.pr_status = 'open') AS opens,
      count(*) FILTER (WHERE g.pr_status = 'merged') AS mergeds,
      count(*) FILTER (WHERE g.pr_status = 'closed') AS closeds
    FROM gone g GROUP BY 1, 2
  ) t HAVING count(*) > 0;
  RETURN NULL;
END $$;

CREATE TRIGGER pull_requests_1_move AFTER UPDATE ON triage.pull_requests
  REFERENCING OLD TABLE AS gone NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION triage.rows_move();
CREATE TRIGGER pull_requests_2_gone AFTER UPDATE ON triage.pull_requests
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION triage.pull_requests_gone();
CREATE TRIGGER pull_requests_3_came AFTER UPDATE ON triage.pull_requests
  REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION triage.pull_requests_came();
CREATE TRIGGER pull_requests_came AFTER INSERT ON triage.pull_requests
  REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION triage.pull_requests_came();
CREATE TRIGGER pull_requests_gone AFTER DELETE ON triage.pull_requests
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION triage.pull_requests_gone();

-- What is truncated leaves nothing to count from.
CREATE FUNCTION triage.rows_truncated() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  CASE TG_TABLE_NAME
    WHEN 'scans' THEN
      UPDATE triage.repo_facts SET last_scan_at = NULL, last_scan_id = NULL;
    WHEN 'fix_drafts' THEN
      UPDATE triage.repo_facts SET findings = 0, open_advisories = 0;
      DELETE FROM triage.open_advisories;
    WHEN 'pull_requests' THEN
      UPDATE triage.repo_facts SET prs = 0, open_prs = 0, merged_prs = 0, closed_prs = 0;
  END CASE;
  RETURN NULL;
END $$;

CREATE TRIGGER scans_truncated AFTER TRUNCATE ON triage.scans EXECUTE FUNCTION triage.rows_truncated();
CREATE TRIGGER fix_drafts_truncated AFTER TRUNCATE ON triage.fix_drafts EXECUTE FUNCTION triage.rows_truncated();
CREATE TRIGGER pull_requests_truncated AFTER TRUNCATE ON triage.pull_requests EXECUTE FUNCTION triage.rows_truncated();
