-- What concerns accounts runs on the coordinator, and touches no row of a tenant: Citus would connect to the worker as the owner of
-- the function, which cannot log in.

-- The node that has the rows of a tenant.
CREATE FUNCTION triage.node_of(tenant text) RETURNS integer
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN (
    SELECT p.groupid FROM pg_dist_placement p
    WHERE p.shardid = get_shard_id_for_distribution_column('triage.repos', tenant) LIMIT 1);
END $$;

-- Whom credentials belong to, as `caller_of`, and the node that answers for them.
CREATE FUNCTION triage.settle(session_hash text, token_hash text, at text)
  RETURNS TABLE (user_id text, use_due boolean, node integer)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY SELECT i.user_id, i.use_due, triage.node_of(i.user_id) FROM triage.identify(session_hash, token_hash, at) i
  WHERE i.user_id IS NOT NULL;
END $$;

-- The nodes that have rows, and for each a text that a tenant of this node could have as its id, found by trying.
CREATE FUNCTION triage.worker_nodes() RETURNS TABLE (node integer, name text, key text)
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  wanted integer[] := ARRAY(
    SELECT DISTINCT p.groupid FROM pg_dist_shard s JOIN pg_dist_placement p USING (shardid)
    WHERE s.logicalrelid = 'triage.repos'::regclass);
BEGIN
  FOR i IN 1..100000 LOOP
    EXIT WHEN cardinality(wanted) = 0;
    key := 'node ' || i;
    node := triage.node_of(key);
    IF node = ANY (wanted) THEN
      wanted := array_remove(wanted, node);
      SELECT n.nodename || ':' || n.nodeport INTO name FROM pg_dist_node n
      WHERE n.groupid = worker_nodes.node AND n.noderole = 'primary';
      RETURN NEXT;
    END IF;
  END LOOP;
END $$;

-- A sign-up has three steps: it reserves an account, which looks like one whose deletion begins in some minutes; the tenant's worker
-- gets the rows; then the account is opened. What a sign-up leaves behind that ended in between is deleted like any other tenant.

-- False: somebody has this address.
CREATE FUNCTION triage.reserve_account(account_id text, email_key text) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM triage.users u WHERE u.email_key = reserve_account.email_key) THEN RETURN false; END IF;
  INSERT INTO triage.users (id, email, email_key, name, password_hash, deleted_at)
  VALUES (account_id, '', NULL, '', '', clock_timestamp() + interval '10 minutes');
  RETURN true;
END $$;

-- As `create_account` of a single server, without its rows: null if somebody has this address, else the tenants that made room. How
-- room is made is written out as in 0007_tenants.sql: a migration does not read another one, and what was applied never changes.
CREATE FUNCTION triage.open_account(account json, email_key text, session json, ended text, max_sign_ups integer) RETURNS json
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  max_removed constant integer := 10;
  surplus bigint := 0;
  oldest text;
  removed text[] := '{}';
BEGIN
  BEGIN
    UPDATE triage.users u
    SET email = account ->> 'email', email_key = open_account.email_key, name = account ->> 'name',
      password_hash = account ->> 'passwordHash', deleted_at = NULL
    WHERE u.id = account ->> 'id' AND u.deleted_at > clock_timestamp();
    IF NOT FOUND THEN
      RAISE EXCEPTION 'the sign-up took too long: its reservation has ended' USING ERRCODE = '55000';
    END IF;
  EXCEPTION WHEN unique_violation THEN
    RETURN NULL;
  END;
  PERFORM triage.add_session(session);
  PERFORM triage.end_session(ended);
  IF max_sign_ups IS NOT NULL THEN PERFORM pg_advisory_xact_lock(hashtext('triage-api: sign-ups')); END IF;
  UPDATE triage.users u SET signed_up_at = clock_timestamp() WHERE u.id = account ->> 'id';
  IF max_sign_ups IS NOT NULL THEN
    SELECT greatest(0, count(*) - max_sign_ups) INTO surplus FROM (
      SELECT FROM triage.users u WHERE u.signed_up_at IS NOT NULL LIMIT max_sign_ups + max_removed) u;
  END IF;
  FOR oldest IN
    SELECT u.id FROM triage.users u WHERE u.signed_up_at IS NOT NULL AND u.id <> account ->> 'id'
    ORDER BY u.signed_up_at, u.id LIMIT surplus
  LOOP
    PERFORM FROM triage.users u WHERE u.id = oldest FOR UPDATE SKIP LOCKED;
    IF FOUND AND triage.mark_deleted(oldest) THEN removed := removed || oldest; END IF;
  END LOOP;
  RETURN to_json(removed);
END $$;

-- Deletes at most `most` sessions that have expired, and returns how many. Those that another process has locked are skipped.
CREATE FUNCTION triage.purge_sessions(at text, most integer) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off
AS $$
DECLARE
  moment timestamptz := least(now(), triage.moment_of(at));
  sessions bigint;
BEGIN
  DELETE FROM triage.sessions WHERE ctid = ANY (ARRAY(
    SELECT s.ctid FROM triage.sessions s WHERE s.expires_at <= moment ORDER BY s.expires_at LIMIT most
    FOR UPDATE SKIP LOCKED));
  GET DIAGNOSTICS sessions = ROW_COUNT;
  RETURN sessions;
END $$;

-- The tenants that are marked as deleted and have not gone, with their nodes; those after `last`, at most `most`.
CREATE FUNCTION triage.deleted_tenants(last text, most integer) RETURNS TABLE (tenant text, node integer)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  -- The index of deleted users is of use for a value, and not for a volatile function.
  moment constant timestamptz := clock_timestamp();
BEGIN
  RETURN QUERY SELECT u.id::text, triage.node_of(u.id) FROM triage.users u
  WHERE u.deleted_at <= moment AND u.id > coalesce(last, '') ORDER BY u.id LIMIT most;
END $$;

-- Deletes a tenant whose rows have been deleted; false: there is none that is marked as deleted.
CREATE FUNCTION triage.forget_tenant(tenant text) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  DELETE FROM triage.users u WHERE u.id = tenant AND u.deleted_at <= clock_timestamp();
  RETURN FOUND;
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA triage FROM PUBLIC;
