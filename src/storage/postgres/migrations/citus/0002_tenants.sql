-- What concerns one tenant runs whole on the tenant's worker: distributed functions, which Citus delegates if the call is the whole
-- statement (`SELECT triage.tenant_…(…)`). In an expression, in a join or in a transaction it would run on the coordinator instead,
-- where row-level security has no tenant to compare with and shows nothing. Such a call fails here: each of these functions
-- enters its tenant first, which is an error on any node that does not have the tenant's rows.

-- Whether the rows of a tenant are on this node.
CREATE FUNCTION triage.is_here(tenant text) RETURNS boolean
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN EXISTS (
    SELECT FROM pg_dist_placement p
    WHERE p.shardid = get_shard_id_for_distribution_column('triage.repos', tenant)
      AND p.groupid = (SELECT g.groupid FROM pg_dist_local_group g));
END $$;

-- Sets the tenant for row-level security, until the transaction ends.
CREATE FUNCTION triage.enter_tenant(tenant text) RETURNS text
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF triage.is_here(tenant) IS NOT TRUE THEN
    RAISE EXCEPTION 'the rows of the tenant are not on this node: the function was not delegated to its worker'
      USING ERRCODE = '55T01';
  END IF;
  RETURN set_config('triage.user_id', tenant, true);
END $$;

-- Row-level security compares rows by this. A query that reaches a worker without a tenant must not look like one of a tenant without
-- rows.
CREATE OR REPLACE FUNCTION triage.asked_for() RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF coalesce(pg_catalog.current_setting('triage.user_id', true), '') = '' THEN
    -- The role that owns the functions sees all rows by a policy of its own. Citus evaluates this one all the same.
    IF CURRENT_USER = (
      SELECT pg_catalog.pg_get_userbyid(p.proowner) FROM pg_catalog.pg_proc p
      WHERE p.oid = 'triage.identify(text, text, text)'::pg_catalog.regprocedure)
    THEN
      RETURN NULL;
    END IF;
    RAISE EXCEPTION 'no tenant is set on this node' USING ERRCODE = '55T01';
  END IF;
  RETURN pg_catalog.current_setting('triage.user_id');
END $$;

-- Citus refuses the subquery that the policies of a single server have.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['repos', 'scans', 'fix_drafts', 'pull_requests', 'changes', 'lists', 'marks', 'advisories'] LOOP
    EXECUTE format('CREATE POLICY own ON triage.%I USING (user_id = triage.asked_for())', name);
  END LOOP;
END $$;

-- The functions of a single server, as far as they differ here.
CREATE FUNCTION triage.change_function(function_name text, VARIADIC changes text[]) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  source text;
BEGIN
  SELECT pg_get_functiondef(p.oid) INTO STRICT source FROM pg_proc p
  WHERE p.pronamespace = 'triage'::regnamespace AND p.proname = function_name;
  FOR i IN 1..cardinality(changes) BY 2 LOOP
    IF strpos(source, changes[i]) = 0 THEN
      RAISE EXCEPTION 'the function triage.% is not the one that the migrations have made', function_name;
    END IF;
    source := replace(source, changes[i], changes[i + 1]);
  END LOOP;
  EXECUTE source;
END $$;

DO $$
DECLARE
  entering constant text := 'asked_for := triage.enter_tenant(caller);';
  setting constant text := 'asked_for := set_config(''triage.user_id'', caller, true);';
  locking constant text := 'LOCK TABLE triage.fix_drafts, triage.pull_requests IN ACCESS SHARE MODE;';
  one record;
BEGIN
  PERFORM triage.change_function(name, setting, entering)
  FROM unnest(ARRAY['read_repos', 'read_findings', 'read_finding', 'read_prs']) AS name;
  -- Citus would take this lock on every node. It is for TRUNCATE, which nothing notes here.
  PERFORM triage.change_function('recount', locking, 'PERFORM triage.enter_tenant(tenant);');
  -- A statement with parameters is not distributed in a function of the language SQL.
  PERFORM triage.change_function(
    'wrong_counts',
    'LANGUAGE sql', 'LANGUAGE plpgsql',
    'WITH there AS (', E'#variable_conflict use_column\nBEGIN\n  RETURN QUERY WITH there AS (',
    'ORDER BY 1, 2, 3, 4', E'ORDER BY 1, 2, 3, 4;\nEND');
  -- Citus needs the tenant to plan most statements. It keeps the plans of those for which it does not.
  FOR one IN
    SELECT p.oid::regprocedure AS name FROM pg_proc p
    WHERE p.pronamespace = 'triage'::regnamespace AND p.proname NOT IN ('identify', 'caller_of')
      AND EXISTS (SELECT FROM unnest(p.proconfig) AS pinned WHERE pinned LIKE 'plan_cache_mode=%')
  LOOP
    EXECUTE format('ALTER FUNCTION %s RESET plan_cache_mode', one.name);
  END LOOP;
END $$;

-- A statement with the tables replaced by those shards of them that have the rows of a tenant.
CREATE FUNCTION triage.on_shards(tenant text, statement text) RETURNS text
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['changes', 'lists', 'marks', 'advisories'] LOOP
    statement := regexp_replace(
      statement, '\mtriage\.' || name || '\M',
      shard_name(('triage.' || name)::regclass, get_shard_id_for_distribution_column(('triage.' || name)::regclass, tenant)), 'g');
  END LOOP;
  RETURN statement;
END $$;

-- Citus would split the statement that folds, and carry parts of it out on other nodes. On the shards themselves it is one. The
-- deletion that finds nothing takes the lock that keeps shards from being moved away.
DO $$
DECLARE
  source text := pg_get_functiondef('triage.fold_tenant(text, bigint)'::regprocedure);
  known text := substring(source FROM 'WITH gone AS .* n\.open = 0\)\s+INTO folded, touched, crowded, emptied, closed;');
  statement text := regexp_replace(known, '\s+INTO folded, touched, crowded, emptied, closed;', '');
BEGIN
  IF statement IS NULL OR strpos(source, 'IF NOT pg_try') = 0 THEN
    RAISE EXCEPTION 'the function triage.fold_tenant is not the one that the migrations have made';
  END IF;
  statement := regexp_replace(regexp_replace(statement, '\mtenant\M', '$1', 'g'), '\mmost\M', '$2', 'g');
  source := replace(source, known,
    'DELETE FROM triage.changes c WHERE c.user_id = tenant AND c.list = ''none'';'
    || E'\n  EXECUTE triage.on_shards(tenant, $statement$' || statement || '$statement$)'
    || E'\n  INTO folded, touched, crowded, emptied, closed USING tenant, most;');
  source := replace(source, 'IF NOT pg_try', E'PERFORM triage.enter_tenant(tenant);\n  IF NOT pg_try');
  EXECUTE source;
END $$;

-- These work on several tenants, or on users and rows at once.
DROP FUNCTION triage.create_account, triage.delete_rows_of_account, triage.purge, triage.delete_rows, triage.fold_counts;

-- Reading. Each result is text: how many rows the list has, the version of the result, and JSON of the rows, unless the version is
-- `known`; separated by U+001E, which JSON never contains.

CREATE FUNCTION triage.tenant_repos(tenant text, known bigint, chunk bigint) RETURNS text
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN (
    SELECT concat_ws(E'\x1e', min(r.total), min(r.version), string_agg(r.rows::text, E'\x1e'))
    FROM triage.read_repos(tenant, NULL, NULL, NULL, known, chunk) r);
END $$;

CREATE FUNCTION triage.tenant_findings(tenant text, known bigint, repo text, skip bigint, most bigint) RETURNS text
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  found record;
BEGIN
  found := triage.read_findings(tenant, NULL, NULL, NULL, known, repo, skip, most);
  RETURN concat_ws(E'\x1e', found.total, found.version, found.rows);
END $$;

CREATE FUNCTION triage.tenant_finding(tenant text, known bigint, finding_id text) RETURNS text
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  found record;
BEGIN
  found := triage.read_finding(tenant, NULL, NULL, NULL, known, finding_id);
  RETURN concat_ws(E'\x1e', found.total, found.version, found.rows);
END $$;

CREATE FUNCTION triage.tenant_prs(tenant text, known bigint, repo text, filter text, skip bigint, most bigint) RETURNS text
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  found record;
BEGIN
  found := triage.read_prs(tenant, NULL, NULL, NULL, known, repo, filter, skip, most);
  RETURN concat_ws(E'\x1e', found.total, found.version, found.rows);
END $$;

-- Writing.

-- The rows of a new account. A tenant that has rows is not a new one: an error.
CREATE FUNCTION triage.tenant_first_rows(tenant text, rows json) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM triage.enter_tenant(tenant);
  IF EXISTS (SELECT FROM triage.repos r WHERE r.user_id = tenant) THEN
    RAISE EXCEPTION 'the new tenant has rows already' USING ERRCODE = '23505';
  END IF;
  PERFORM triage.add_rows(tenant, rows);
END $$;

-- Rows of an import, which counts them at its end.
CREATE FUNCTION triage.tenant_import_rows(tenant text, rows json) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM triage.enter_tenant(tenant), set_config('triage.counts_itself', 'on', true);
  PERFORM triage.add_rows(tenant, rows);
  PERFORM set_config('triage.counts_itself', '', true);
END $$;

CREATE FUNCTION triage.tenant_recount(tenant text) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM triage.recount(tenant);
END $$;

-- Where the counts of a tenant are not what there is, as a JSON array.
CREATE FUNCTION triage.tenant_wrong_counts(tenant text) RETURNS json
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM triage.enter_tenant(tenant);
  RETURN (
    SELECT coalesce(json_agg(json_build_object(
      'counted', w.counted, 'list', w.list, 'repo_id', w.repo_id, 'status', w.status, 'told', w.told::text,
      'there', w.there::text)), '[]')
    FROM triage.wrong_counts(tenant) w);
END $$;

-- How many rows of each kind a tenant has.
CREATE FUNCTION triage.tenant_record_counts(tenant text) RETURNS json
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM triage.enter_tenant(tenant);
  RETURN json_build_object(
    'repos', (SELECT count(*) FROM triage.repos r WHERE r.user_id = tenant),
    'scans', (SELECT count(*) FROM triage.scans s WHERE s.user_id = tenant),
    'fixDrafts', (SELECT count(*) FROM triage.fix_drafts d WHERE d.user_id = tenant),
    'pullRequests', (SELECT count(*) FROM triage.pull_requests p WHERE p.user_id = tenant));
END $$;

-- Deletes at most about `most` rows of a tenant, as `{deleted, is_gone}`: in the order of their foreign keys, and of their ids.
CREATE FUNCTION triage.tenant_delete_rows(tenant text, most integer) RETURNS json
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off
AS $$
DECLARE
  deleted bigint := 0;
  batch bigint;
BEGIN
  PERFORM triage.enter_tenant(tenant), set_config('triage.counts_itself', 'on', true);
  DELETE FROM triage.pull_requests WHERE user_id = tenant AND ctid = ANY (ARRAY(
    SELECT p.ctid FROM triage.pull_requests p WHERE p.user_id = tenant ORDER BY p.id LIMIT most FOR UPDATE));
  GET DIAGNOSTICS batch = ROW_COUNT;
  deleted := deleted + batch;
  IF deleted < most THEN
    DELETE FROM triage.fix_drafts WHERE user_id = tenant AND ctid = ANY (ARRAY(
      SELECT d.ctid FROM triage.fix_drafts d WHERE d.user_id = tenant ORDER BY d.id LIMIT most - deleted FOR UPDATE));
    GET DIAGNOSTICS batch = ROW_COUNT;
    deleted := deleted + batch;
  END IF;
  IF deleted < most THEN
    DELETE FROM triage.scans WHERE user_id = tenant AND ctid = ANY (ARRAY(
      SELECT s.ctid FROM triage.scans s WHERE s.user_id = tenant ORDER BY s.id LIMIT most - deleted FOR UPDATE));
    GET DIAGNOSTICS batch = ROW_COUNT;
    deleted := deleted + batch;
  END IF;
  IF deleted < most THEN
    DELETE FROM triage.repos WHERE user_id = tenant AND ctid = ANY (ARRAY(
      SELECT r.ctid FROM triage.repos r WHERE r.user_id = tenant ORDER BY r.id LIMIT most - deleted FOR UPDATE));
    GET DIAGNOSTICS batch = ROW_COUNT;
    deleted := deleted + batch;
  END IF;
  IF deleted < most THEN
    -- Whoever folds counts of the tenant has finished then.
    PERFORM pg_advisory_xact_lock(triage.fold_key(tenant));
    DELETE FROM triage.changes c WHERE c.user_id = tenant;
    DELETE FROM triage.lists l WHERE l.user_id = tenant;
    DELETE FROM triage.marks m WHERE m.user_id = tenant;
    DELETE FROM triage.advisories a WHERE a.user_id = tenant;
  END IF;
  PERFORM set_config('triage.counts_itself', '', true);
  RETURN json_build_object('deleted', deleted, 'is_gone', deleted < most);
END $$;

-- Folds changes of the tenants of one worker, about `most` of them, and returns how many. `key` is any text that the worker would have if
-- it were a tenant. A shard that is moved away meanwhile is left to its new node.
CREATE FUNCTION triage.node_fold(key text, most bigint) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  shard text;
  tenant text;
  folded bigint := 0;
BEGIN
  FOR shard IN
    SELECT shard_name('triage.changes', s.shardid) FROM pg_dist_shard s
    JOIN pg_dist_placement p USING (shardid)
    WHERE s.logicalrelid = 'triage.changes'::regclass AND p.groupid = (SELECT g.groupid FROM pg_dist_local_group g)
    ORDER BY random()
  LOOP
    FOR tenant IN EXECUTE format('SELECT DISTINCT c.user_id FROM (SELECT user_id FROM %s LIMIT $1) c', shard) USING most LOOP
      folded := folded + triage.fold_tenant(tenant, least(most, 5000));
      IF folded >= most THEN RETURN folded; END IF;
    END LOOP;
  END LOOP;
  RETURN folded;
END $$;

-- Succeeds on a worker that can answer, with the rights that a query takes.
CREATE FUNCTION triage.node_ready(key text) RETURNS boolean
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM triage.read_repos(key, NULL, NULL, NULL, NULL, 1);
  PERFORM FROM triage.scans s, triage.fix_drafts d, triage.pull_requests p, triage.marks m, triage.advisories a
  WHERE s.user_id = key AND d.user_id = key AND p.user_id = key AND m.user_id = key AND a.user_id = key LIMIT 1;
  RETURN true;
END $$;

DO $$
DECLARE
  one record;
BEGIN
  FOR one IN
    SELECT p.oid::regprocedure::text AS signature, p.proargnames[1] AS argument,
      -- An import calls these in one transaction. They must write nothing by triggers, which forced delegation refuses.
      p.proname IN ('tenant_import_rows', 'tenant_recount', 'tenant_delete_rows') AS forced
    FROM pg_proc p
    WHERE p.pronamespace = 'triage'::regnamespace AND (p.proname LIKE 'tenant\_%' OR p.proname IN ('node_fold', 'node_ready'))
  LOOP
    PERFORM create_distributed_function(
      one.signature::regprocedure, one.argument, 'triage.repos', force_delegation => one.forced);
  END LOOP;
END $$;

DROP FUNCTION triage.change_function;
