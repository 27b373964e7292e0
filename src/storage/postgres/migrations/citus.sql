-- Distributes the rows of tenants on Citus; `migrate --citus` runs it after the schema was created. Each tenant is whole on one worker.
-- Accounts stay ordinary tables of the coordinator, so that a worker that is away locks nobody out but its own tenants.

-- Citus makes neither the policies of a single server, which have subqueries, nor foreign keys of tables that are on different nodes.
DROP POLICY own ON triage.repos;
DROP POLICY own ON triage.scans;
DROP POLICY own ON triage.fix_drafts;
DROP POLICY own ON triage.pull_requests;
ALTER TABLE triage.pull_requests DROP CONSTRAINT pull_requests_user_id_repo_id_draft_id_fkey;
ALTER TABLE triage.fix_drafts DROP CONSTRAINT fix_drafts_user_id_repo_id_fkey;
ALTER TABLE triage.scans DROP CONSTRAINT scans_user_id_repo_id_fkey;
ALTER TABLE triage.repos DROP CONSTRAINT repos_user_id_fkey;

-- Rows that are there already move to the workers.
SELECT create_distributed_table('triage.repos', 'user_id', colocate_with => 'none');
SELECT create_distributed_table('triage.scans', 'user_id', colocate_with => 'triage.repos');
SELECT create_distributed_table('triage.fix_drafts', 'user_id', colocate_with => 'triage.repos');
SELECT create_distributed_table('triage.pull_requests', 'user_id', colocate_with => 'triage.repos');
SELECT truncate_local_data_after_distributing_table('triage.pull_requests');
SELECT truncate_local_data_after_distributing_table('triage.fix_drafts');
SELECT truncate_local_data_after_distributing_table('triage.scans');
SELECT truncate_local_data_after_distributing_table('triage.repos');

ALTER TABLE triage.scans
  ADD CONSTRAINT scans_user_id_repo_id_fkey FOREIGN KEY (user_id, repo_id)
    REFERENCES triage.repos (user_id, id) ON DELETE CASCADE;
ALTER TABLE triage.fix_drafts
  ADD CONSTRAINT fix_drafts_user_id_repo_id_fkey FOREIGN KEY (user_id, repo_id)
    REFERENCES triage.repos (user_id, id) ON DELETE CASCADE;
-- Without ON UPDATE CASCADE, which Citus lacks: a draft that has pull requests cannot change its repository.
ALTER TABLE triage.pull_requests
  ADD CONSTRAINT pull_requests_user_id_repo_id_draft_id_fkey FOREIGN KEY (user_id, repo_id, draft_id)
    REFERENCES triage.fix_drafts (user_id, repo_id, id) ON DELETE CASCADE;

CREATE POLICY own ON triage.repos USING (user_id = triage.tenant());
CREATE POLICY own ON triage.scans USING (user_id = triage.tenant());
CREATE POLICY own ON triage.fix_drafts USING (user_id = triage.tenant());
CREATE POLICY own ON triage.pull_requests USING (user_id = triage.tenant());

-- What writes rows runs on the worker of the tenant, with the rights of its owner, who need not be able to log in there.
ALTER FUNCTION triage.add_rows(text, json) SECURITY DEFINER;
SELECT create_distributed_function('triage.add_rows(text, json)', 'tenant', 'triage.repos', force_delegation => true);
SELECT create_distributed_function('triage.delete_rows(text, integer)', 'tenant', 'triage.repos', force_delegation => true);

-- The node that has the rows of a tenant.
CREATE FUNCTION triage.node_of(tenant text) RETURNS integer
  LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT p.groupid FROM pg_dist_placement p
  WHERE p.shardid = get_shard_id_for_distribution_column('triage.repos', tenant) LIMIT 1
$$;

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

REVOKE ALL ON FUNCTION triage.node_of, triage.worker_nodes FROM PUBLIC;
