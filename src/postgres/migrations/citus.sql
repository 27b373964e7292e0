-- Distributes the rows of tenants on Citus; `db migrate --citus` runs it after the schema was created. Each tenant is whole on one worker.
-- Accounts stay ordinary tables of the coordinator, so that a worker that is away locks nobody out but its own tenants.
-- It is one block, because Citus accepts no other statement beside one that it sends to workers.

DO $citus$
DECLARE
  name text;
BEGIN
  SET LOCAL citus.enable_ddl_propagation = on;
  SET LOCAL citus.multi_shard_modify_mode = 'sequential';

  -- Citus makes no foreign keys of tables that are on different nodes.
  ALTER TABLE triage.pull_requests DROP CONSTRAINT pull_requests_user_id_repo_id_draft_id_fkey;
  ALTER TABLE triage.fix_drafts DROP CONSTRAINT fix_drafts_user_id_repo_id_fkey;
  ALTER TABLE triage.scans DROP CONSTRAINT scans_user_id_repo_id_fkey;
  ALTER TABLE triage.repos DROP CONSTRAINT repos_user_id_fkey;

  -- Rows that are there already move to the workers. Their policy has a function, because Citus refuses subqueries, and
  -- calls every function without arguments in it on the coordinator, for a condition or not.
  CREATE FUNCTION triage.tenant() RETURNS text LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    RETURN coalesce(nullif(current_setting('triage.user_id', true), ''), triage.no_tenant());
  PERFORM create_distributed_function('triage.tenant()');
  FOREACH name IN ARRAY ARRAY['repos', 'scans', 'fix_drafts', 'pull_requests'] LOOP
    EXECUTE format('DROP POLICY own ON triage.%I', name);
    PERFORM create_distributed_table('triage.' || name, 'user_id',
      colocate_with => CASE name WHEN 'repos' THEN 'none' ELSE 'triage.repos' END);
    PERFORM truncate_local_data_after_distributing_table('triage.' || name);
    EXECUTE format('CREATE POLICY own ON triage.%I USING (user_id = triage.tenant())', name);
  END LOOP;

  ALTER TABLE triage.scans ADD CONSTRAINT scans_user_id_repo_id_fkey
    FOREIGN KEY (user_id, repo_id) REFERENCES triage.repos (user_id, id) ON DELETE CASCADE;
  ALTER TABLE triage.fix_drafts ADD CONSTRAINT fix_drafts_user_id_repo_id_fkey
    FOREIGN KEY (user_id, repo_id) REFERENCES triage.repos (user_id, id) ON DELETE CASCADE;
  -- Without ON UPDATE CASCADE, which Citus lacks: a draft that has pull requests cannot change its repository.
  ALTER TABLE triage.pull_requests ADD CONSTRAINT pull_requests_user_id_repo_id_draft_id_fkey
    FOREIGN KEY (user_id, repo_id, draft_id) REFERENCES triage.fix_drafts (user_id, repo_id, id) ON DELETE CASCADE;

  -- The settings of a server's connections (database.ts) end at the coordinator.
  PERFORM run_command_on_workers(
    format('SET citus.enable_ddl_propagation = off; ALTER DATABASE %I SET %s = off', current_database(), setting))
  FROM unnest(ARRAY['enable_seqscan', 'enable_bitmapscan', 'jit']) AS setting;

  -- What writes rows runs on the worker of the tenant, with the rights of its owner, who need not be able to log in there.
  ALTER FUNCTION triage.add_rows(text, json) SECURITY DEFINER;
  PERFORM create_distributed_function('triage.add_rows(text, json)', 'tenant', 'triage.repos', force_delegation => true);
  PERFORM create_distributed_function('triage.delete_rows(text, integer)', 'tenant', 'triage.repos', force_delegation => true);

  -- What servers call for accounts and rows is one transaction over the coordinator and a worker. It has the rights of its caller, as
  -- whom the coordinator connects to the worker. Citus delegates a call inside of a function only if it is in FROM, alone.

  ALTER FUNCTION triage.create_account(json, json, json, text, integer) RENAME TO create_account_alone;

  CREATE FUNCTION triage.create_account(account json, session json, rows json, ended text, max_sign_ups integer) RETURNS text[]
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    removed text[] := triage.create_account_alone(account, session, '{}', ended, max_sign_ups);
  BEGIN
    IF removed IS NOT NULL THEN PERFORM * FROM triage.add_rows(account ->> 'id', rows); END IF;
    RETURN removed;
  END $$;

  CREATE FUNCTION triage.lock_deleted(tenant text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    PERFORM FROM triage.users u WHERE u.id = tenant AND u.deleted_at IS NOT NULL FOR NO KEY UPDATE;
    RETURN FOUND;
  END $$;

  CREATE OR REPLACE FUNCTION triage.delete_rows_of_deleted(tenant text, most integer) RETURNS bigint
    LANGUAGE plpgsql SECURITY INVOKER SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    deleted bigint := 0;
  BEGIN
    IF triage.lock_deleted(tenant) THEN SELECT * INTO deleted FROM triage.delete_rows(tenant, most); END IF;
    RETURN deleted;
  END $$;

  REVOKE ALL ON FUNCTION triage.create_account, triage.lock_deleted, triage.tenant FROM PUBLIC;
END $citus$;
