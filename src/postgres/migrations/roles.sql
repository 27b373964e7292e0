-- The roles of the schema, and all that they may do: what `triage-api db migrate --roles` runs. To run it by hand after `db migrate`:
-- psql --single-transaction --set ON_ERROR_STOP=1 --file roles.sql --file public.sql. For other names, replace `triage_` before owner, serve, write and read.
-- It may be run at any time again. A migration that adds a table or a function adds the rights to it here.

-- The roles.
DO $$
DECLARE
  names text[] := ARRAY['triage_owner', 'triage_serve', 'triage_write', 'triage_read'];
  purposes text[] := ARRAY['owns the schema', 'for the server', 'for programs that write rows', 'for those that read rows'];
  missing text[] := ARRAY(SELECT name FROM unnest(names) AS name WHERE name NOT IN (SELECT rolname FROM pg_roles));
  self text := quote_ident(current_user);
  existing record;
BEGIN
  -- A role that exists must not have more rights than the one that would be created.
  FOR existing IN
    SELECT rolname, CASE
      WHEN rolsuper THEN 'is a superuser'
      WHEN rolcreaterole THEN 'can create roles'
      WHEN rolcanlogin AND rolname = 'triage_owner' THEN 'can log in'
      WHEN rolbypassrls AND rolname IN ('triage_owner', 'triage_serve') THEN 'bypasses row-level security'
    END AS reason
    FROM pg_roles WHERE rolname = ANY (names)
  LOOP
    IF existing.reason IS NOT NULL THEN
      RAISE EXCEPTION 'the role % exists and %; change that, or choose other names with --role-prefix',
        existing.rolname, existing.reason USING ERRCODE = 'TRIAG';
    END IF;
  END LOOP;
  IF missing <> '{}' AND NOT (SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user) THEN
    RAISE EXCEPTION 'the role % may not create roles; run this with CREATEROLE, or let an administrator run: %; GRANT triage_owner TO %',
      self, 'CREATE ROLE ' || array_to_string(missing, '; CREATE ROLE '), self USING ERRCODE = 'TRIAG';
  END IF;
  FOR i IN 1 .. cardinality(missing) LOOP
    EXECUTE format('CREATE ROLE %I NOLOGIN', missing[i]);
    RAISE NOTICE 'created the role %, %', missing[i], purposes[array_position(names, missing[i])] USING ERRCODE = 'TRIAG';
  END LOOP;
  -- Since version 16 a member need not be allowed to act as a role.
  IF NOT pg_has_role('triage_owner'::name, 'USAGE') OR NOT pg_has_role('triage_owner'::name,
    CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END) THEN
    EXECUTE 'GRANT triage_owner TO ' || self;
    RAISE NOTICE 'made % a member of triage_owner', self USING ERRCODE = 'TRIAG';
  END IF;
EXCEPTION WHEN insufficient_privilege THEN
  RAISE EXCEPTION 'the role % may not grant triage_owner; let a role that may (it needs ADMIN OPTION) run: %; or choose other names %',
    self, 'GRANT triage_owner TO ' || self, 'with --role-prefix' USING ERRCODE = 'TRIAG';
END $$;

-- The owner of the schema and of everything in it, and what the others may do.
DO $$
DECLARE
  statements text[];
  owners text;
BEGIN
  SELECT array_agg(statement ORDER BY step, statement), string_agg(DISTINCT owner::regrole::text, ', ')
  INTO statements, owners FROM (
    SELECT 'ALTER SCHEMA triage' AS statement, 0 AS step, nspowner AS owner FROM pg_namespace WHERE nspname = 'triage'
    UNION ALL SELECT format('ALTER TABLE %s', oid::regclass), 1, relowner FROM pg_class
      WHERE relnamespace = to_regnamespace('triage') AND relkind IN ('r', 'v', 'm')
    UNION ALL SELECT format('ALTER TYPE %s', oid::regtype), 2, typowner FROM pg_type
      WHERE typnamespace = to_regnamespace('triage') AND typtype = 'd'
    UNION ALL SELECT format('ALTER ROUTINE %s', oid::regprocedure), 3, proowner FROM pg_proc
      WHERE pronamespace = to_regnamespace('triage')
  ) AS objects WHERE owner <> 'triage_owner'::regrole;
  FOR i IN 1 .. coalesce(cardinality(statements), 0) LOOP
    EXECUTE statements[i] || ' OWNER TO triage_owner';
  END LOOP;
  IF statements IS NOT NULL THEN
    RAISE NOTICE 'made triage_owner the owner of everything in the schema triage' USING ERRCODE = 'TRIAG';
  END IF;
EXCEPTION WHEN insufficient_privilege THEN
  RAISE EXCEPTION 'the role % may not make triage_owner the owner of the schema (%); it needs CREATE on the database%',
    quote_ident(current_user), SQLERRM, coalesce(', and the rights of ' || owners || ', who owns it now', '')
    USING ERRCODE = 'TRIAG';
END $$;

-- What the others may do. Citus accepts no other statement beside one that it sends to workers, unless a block runs them.
DO $$
DECLARE
  name text;
BEGIN
  -- Everybody may call a new function, also one that Citus makes on a worker that is added.
  REVOKE ALL ON ALL FUNCTIONS IN SCHEMA triage FROM PUBLIC;
  REVOKE ALL ON ALL ROUTINES IN SCHEMA triage FROM triage_serve, triage_write, triage_read;
  REVOKE ALL ON ALL TABLES IN SCHEMA triage FROM triage_serve, triage_write, triage_read;
  REVOKE ALL ON SCHEMA triage FROM triage_serve, triage_write, triage_read;
  GRANT USAGE ON SCHEMA triage TO triage_serve, triage_write, triage_read;
  -- All of them see rows of one tenant: the server of the one whose credentials it has, the others of the one that they have set.
  GRANT SELECT ON triage.migrations, triage.repos, triage.scans, triage.fix_drafts, triage.pull_requests
    TO triage_serve, triage_write, triage_read;
  GRANT INSERT, UPDATE, DELETE ON triage.repos, triage.scans, triage.fix_drafts, triage.pull_requests TO triage_write;
  GRANT EXECUTE ON FUNCTION triage.caller_of, triage.record_token_use, triage.user_by_email, triage.user_profile, triage.create_account,
    triage.change_password, triage.delete_account, triage.start_session, triage.end_session, triage.list_api_tokens, triage.mint_api_token,
    triage.revoke_api_token, triage.deleted_tenants, triage.delete_rows_of_deleted, triage.forget_tenant, triage.purge_sessions
    TO triage_serve;
  IF NOT EXISTS (SELECT FROM triage.migrations AS m WHERE m.name = 'citus') THEN
    GRANT EXECUTE ON FUNCTION triage.no_tenant TO triage_serve, triage_write, triage_read;
    RETURN;
  END IF;
  -- On Citus, what runs on the coordinator has the rights of its caller, as whom it connects to a worker.
  GRANT EXECUTE ON FUNCTION triage.create_account_alone, triage.lock_deleted, triage.add_rows, triage.delete_rows TO triage_serve;
  GRANT EXECUTE ON FUNCTION triage.tenant TO triage_write, triage_read;
  -- The server sees all rows there, because each of its statements names the tenant, and no worker is told of it otherwise. The policy
  -- of the schema is for writers and readers alone: Citus calls its function for every role that it applies to.
  FOREACH name IN ARRAY ARRAY['repos', 'scans', 'fix_drafts', 'pull_requests'] LOOP
    EXECUTE format('DROP POLICY IF EXISTS serve ON triage.%I', name);
    EXECUTE format('CREATE POLICY serve ON triage.%I TO triage_serve USING (true)', name);
    EXECUTE format('ALTER POLICY own ON triage.%I TO triage_write, triage_read', name);
  END LOOP;
END $$;
