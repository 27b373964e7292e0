-- Who may do what. A function that runs with the rights of its owner must find nothing that its caller has made. With
-- `search_path = ''` PostgreSQL still looks up the names of types in the temporary schema of the session first, so a temporary
-- domain called `timestamptz` ran code of the caller as the owner. Only a path that names `pg_temp` last prevents that.

-- Functions that set no path of their own (`triage.moment_of`, …) take over that of the function that calls them.
DO $$
DECLARE
  found record;
BEGIN
  FOR found IN
    SELECT p.oid::regprocedure AS signature
    FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
    WHERE p.pronamespace = 'triage'::regnamespace AND (
      p.prosecdef OR l.lanname = 'plpgsql'
      OR EXISTS (SELECT FROM unnest(p.proconfig) AS setting WHERE setting LIKE 'search_path=%'))
  LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = pg_catalog, pg_temp', found.signature);
  END LOOP;
END $$;

-- The hash of a token is looked up, never told.
CREATE OR REPLACE FUNCTION triage.list_api_tokens(caller text) RETURNS json
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT coalesce(json_agg(json_build_object(
    'id', t.id, 'userId', t.user_id, 'name', t.name, 'prefix', t.prefix,
    'createdAt', triage.iso(t.created_at), 'expiresAt', triage.iso(t.expires_at), 'revokedAt', triage.iso(t.revoked_at),
    'lastUsedAt', triage.iso(t.last_used_at)) ORDER BY t.created_at DESC, t.id), '[]')
  FROM triage.api_tokens t WHERE t.user_id = caller
$$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA triage FROM PUBLIC;
REVOKE ALL ON SCHEMA triage FROM PUBLIC;

-- Nobody needs temporary objects or schemas of their own in this database. PostgreSQL lets everyone make temporary objects
-- unless it is told otherwise, and only the owner of the database can tell it.
DO $$
DECLARE
  revoking text := format('REVOKE CREATE, TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
BEGIN
  IF NOT has_database_privilege('public', current_database(), 'CREATE')
    AND NOT has_database_privilege('public', current_database(), 'TEMPORARY')
  THEN
    RETURN;
  END IF;
  IF pg_has_role((SELECT d.datdba FROM pg_database d WHERE d.datname = current_database()), 'USAGE') THEN
    EXECUTE revoking;
    RAISE WARNING 'only roles with a grant of their own can create temporary tables or schemas in this database from now on: %',
      revoking;
  ELSE
    RAISE WARNING 'every role can create temporary objects in this database; its owner can forbid it: %', revoking;
  END IF;
END $$;
