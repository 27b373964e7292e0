-- Citus plans each statement on a distributed table twice, and a query of the API has several of them. So there is an edition of the
-- functions that read for each shard, which names the shards themselves: PostgreSQL plans it, and keeps the plans as on a single server.
-- Row-level security applies to shards as well.
--
-- Each edition is on every node, so that shards can be moved. A shard that was split off has none until `make_shard_readers` is called
-- again: Citus plans the queries of its tenants meanwhile.

-- The name of a function that reads, in the edition for the shard of a tenant if there is one.
CREATE FUNCTION triage.reader(name text, tenant text) RETURNS text
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  edition text := format('triage.%s_on_%s', name, get_shard_id_for_distribution_column('triage.repos', tenant));
BEGIN
  RETURN CASE WHEN has_function_privilege(to_regproc(edition), 'EXECUTE') THEN edition ELSE 'triage.' || name END;
END $$;

-- Makes the editions that are missing, and drops those of shards that are gone. Whoever may call a function may call its editions. A
-- migration that changes one of these functions drops its editions first.
CREATE FUNCTION triage.make_shard_readers() RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  readers constant text[] := ARRAY[
    'read_repos', 'read_findings', 'read_finding', 'read_prs', 'repos_of', 'rows_in', 'nearest_mark', 'page_of_findings',
    'page_of_findings_of_repo', 'page_of_prs', 'page_of_prs_of_repo', 'page_of_prs_of_status', 'page_of_prs_of_repo_and_status'];
  any_reader constant text := '(' || array_to_string(readers, '|') || ')';
  one record;
  part record;
  source text;
  edition text;
BEGIN
  FOR one IN
    SELECT p.oid::regprocedure AS name FROM pg_proc p
    WHERE p.pronamespace = 'triage'::regnamespace AND p.proname ~ ('^' || any_reader || '_on_\d+$') AND NOT EXISTS (
      SELECT FROM pg_dist_shard s
      WHERE s.logicalrelid = 'triage.repos'::regclass AND s.shardid::text = substring(p.proname FROM '\d+$'))
  LOOP
    EXECUTE format('DROP FUNCTION %s', one.name);
  END LOOP;
  FOR one IN
    SELECT p.proname AS name, pg_get_functiondef(p.oid) AS source, pg_get_userbyid(p.proowner) AS owner, p.proowner, p.proacl,
      s.shardid AS shard, s.shardminvalue AS first_hash
    FROM pg_proc p, pg_dist_shard s
    WHERE p.pronamespace = 'triage'::regnamespace AND p.proname = ANY (readers) AND s.logicalrelid = 'triage.repos'::regclass
      AND to_regproc(format('triage.%s_on_%s', p.proname, s.shardid)) IS NULL
    ORDER BY s.shardid, p.proname
  LOOP
    -- Its own name and those that it calls, and its name before its variables.
    source := regexp_replace(one.source, '\mtriage\.' || any_reader || '\(', 'triage.\1_on_' || one.shard || '(', 'g');
    source := regexp_replace(source, '\m' || one.name || '\.', one.name || '_on_' || one.shard || '.', 'g');
    FOR part IN
      SELECT s.logicalrelid::text AS name, shard_name(s.logicalrelid, s.shardid) AS shard FROM pg_dist_shard s
      WHERE s.shardminvalue = one.first_hash AND s.logicalrelid = ANY (ARRAY[
        'triage.repos', 'triage.scans', 'triage.fix_drafts', 'triage.pull_requests', 'triage.changes', 'triage.lists',
        'triage.marks', 'triage.advisories']::regclass[])
    LOOP
      source := regexp_replace(source, '\m' || part.name || '\M', part.shard, 'g');
    END LOOP;
    -- Migration 0006 says why.
    EXECUTE replace(
      source, E'\nAS $',
      E'\n SET plan_cache_mode TO ' || CASE WHEN one.name = 'read_finding' THEN 'force_custom_plan' ELSE 'force_generic_plan' END
        || E'\nAS $');
    edition := format('triage.%s_on_%s', one.name, one.shard);
    EXECUTE format('ALTER FUNCTION %s OWNER TO %I', edition, one.owner);
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', edition);
    FOR part IN SELECT DISTINCT a.grantee::regrole AS name FROM aclexplode(one.proacl) a WHERE a.grantee NOT IN (0, one.proowner) LOOP
      EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %s', edition, part.name);
    END LOOP;
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION triage.tenant_repos(tenant text, known bigint, chunk bigint) RETURNS text
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  result text;
BEGIN
  EXECUTE format(
    $statement$
      SELECT concat_ws(E'\x1e', min(r.total), min(r.version), string_agg(r.rows::text, E'\x1e'))
      FROM %s($1, NULL, NULL, NULL, $2, $3) r
    $statement$,
    triage.reader('read_repos', tenant))
  INTO result USING tenant, known, chunk;
  RETURN result;
END $$;

CREATE OR REPLACE FUNCTION triage.tenant_findings(tenant text, known bigint, repo text, skip bigint, most bigint) RETURNS text
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  found record;
BEGIN
  EXECUTE format('SELECT * FROM %s($1, NULL, NULL, NULL, $2, $3, $4, $5)', triage.reader('read_findings', tenant))
  INTO found USING tenant, known, repo, skip, most;
  RETURN concat_ws(E'\x1e', found.total, found.version, found.rows);
END $$;

CREATE OR REPLACE FUNCTION triage.tenant_finding(tenant text, known bigint, finding_id text) RETURNS text
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  found record;
BEGIN
  EXECUTE format('SELECT * FROM %s($1, NULL, NULL, NULL, $2, $3)', triage.reader('read_finding', tenant))
  INTO found USING tenant, known, finding_id;
  RETURN concat_ws(E'\x1e', found.total, found.version, found.rows);
END $$;

CREATE OR REPLACE FUNCTION triage.tenant_prs(tenant text, known bigint, repo text, filter text, skip bigint, most bigint) RETURNS text
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  found record;
BEGIN
  EXECUTE format('SELECT * FROM %s($1, NULL, NULL, NULL, $2, $3, $4, $5, $6)', triage.reader('read_prs', tenant))
  INTO found USING tenant, known, repo, filter, skip, most;
  RETURN concat_ws(E'\x1e', found.total, found.version, found.rows);
END $$;

REVOKE ALL ON FUNCTION triage.reader, triage.make_shard_readers FROM PUBLIC;

SELECT triage.make_shard_readers();
