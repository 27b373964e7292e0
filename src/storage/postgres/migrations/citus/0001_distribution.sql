-- Distributes the rows of tenants on Citus: `migrate --citus` applies this folder after all migrations. Each tenant is whole on one
-- worker. Accounts, sessions and API tokens are ordinary tables of the coordinator, so that a worker that is away locks nobody out but
-- its own tenants.

-- Policies, triggers and foreign keys are made again afterwards, on the shards as well.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['repos', 'scans', 'fix_drafts', 'pull_requests', 'changes', 'lists', 'marks', 'advisories'] LOOP
    EXECUTE format('DROP POLICY own ON triage.%I', name);
    EXECUTE format('DROP POLICY IF EXISTS definer ON triage.%I', name);
  END LOOP;
END $$;

DROP TRIGGER fix_draft_changed ON triage.fix_drafts;

DROP TRIGGER pull_request_changed ON triage.pull_requests;

DROP TRIGGER repo_changed ON triage.repos;

-- A statement over all tenants would have to lock all workers: after TRUNCATE, counts are made anew by `recount`.
DROP TRIGGER counted_rows_truncated ON triage.fix_drafts;

DROP TRIGGER counted_rows_truncated ON triage.pull_requests;

DROP FUNCTION triage.counted_rows_truncated;

ALTER TABLE triage.pull_requests DROP CONSTRAINT pull_requests_user_id_repo_id_draft_id_fkey;

ALTER TABLE triage.fix_drafts DROP CONSTRAINT fix_drafts_user_id_repo_id_fkey;

ALTER TABLE triage.scans DROP CONSTRAINT scans_user_id_repo_id_fkey;

-- Users are on another node.
ALTER TABLE triage.repos DROP CONSTRAINT repos_user_id_fkey;

DO $$
DECLARE
  rows_of_tenants constant text[] := ARRAY['repos', 'scans', 'fix_drafts', 'pull_requests'];
  counts constant text[] := ARRAY['changes', 'lists', 'marks', 'advisories'];
  name text;
BEGIN
  -- With a domain as distribution column, Citus looks for a tenant on the wrong worker and finds nothing, without an error.
  FOREACH name IN ARRAY rows_of_tenants LOOP
    EXECUTE format(
      'ALTER TABLE triage.%I ALTER COLUMN user_id TYPE text COLLATE "C",
        ADD CONSTRAINT %I CHECK (char_length(user_id) BETWEEN 1 AND 200)',
      name, name || '_user_id_check');
  END LOOP;
  FOREACH name IN ARRAY rows_of_tenants || counts LOOP
    PERFORM create_distributed_table(
      format('triage.%I', name)::regclass, 'user_id',
      colocate_with => CASE WHEN name = 'repos' THEN 'none' ELSE 'triage.repos' END);
  END LOOP;
  FOREACH name IN ARRAY rows_of_tenants || counts LOOP
    PERFORM truncate_local_data_after_distributing_table(format('triage.%I', name)::regclass);
  END LOOP;
END $$;

ALTER TABLE triage.scans
  ADD CONSTRAINT scans_user_id_repo_id_fkey FOREIGN KEY (user_id, repo_id)
    REFERENCES triage.repos (user_id, id) ON DELETE CASCADE;

ALTER TABLE triage.fix_drafts
  ADD CONSTRAINT fix_drafts_user_id_repo_id_fkey FOREIGN KEY (user_id, repo_id)
    REFERENCES triage.repos (user_id, id) ON DELETE CASCADE;

-- Citus has no ON UPDATE CASCADE here: a draft that has pull requests cannot change its repository.
ALTER TABLE triage.pull_requests
  ADD CONSTRAINT pull_requests_user_id_repo_id_draft_id_fkey FOREIGN KEY (user_id, repo_id, draft_id)
    REFERENCES triage.fix_drafts (user_id, repo_id, id) ON DELETE CASCADE;

-- Every statement inside of them names the tenant, so that it stays on the node of the row. They are written out as in 0005_counts.sql:
-- a migration does not read another one, and what was applied never changes.
CREATE TRIGGER fix_draft_changed
  AFTER INSERT OR DELETE OR UPDATE OF user_id, id, repo_id, discovered_at, advisory_id, package, status ON triage.fix_drafts
  FOR EACH ROW EXECUTE FUNCTION triage.fix_draft_changed();

CREATE TRIGGER pull_request_changed
  AFTER INSERT OR DELETE OR UPDATE OF user_id, id, repo_id, created_at, pr_state ON triage.pull_requests
  FOR EACH ROW EXECUTE FUNCTION triage.pull_request_changed();

CREATE TRIGGER repo_changed AFTER UPDATE OF owner, repo ON triage.repos
  FOR EACH ROW EXECUTE FUNCTION triage.repo_changed();
