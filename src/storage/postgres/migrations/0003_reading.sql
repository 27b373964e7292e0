-- How moments are written, and who sees which rows.

CREATE FUNCTION triage.iso(at timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN at < '0001-01-01 00:00:00+00' THEN to_char(at AT TIME ZONE 'UTC', '"0000"-MM-DD"T"HH24:MI:SS.MS"Z"')
    ELSE to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  END
$$;

-- Row-level security: a role that is not the owner sees rows of the tenant on whose behalf it has said that it asks, and
-- where it has said nothing, none. The setting ends with the transaction.

CREATE FUNCTION triage.ask_for(caller text) RETURNS void LANGUAGE sql AS $$
  SELECT set_config('triage.user_id', coalesce(caller, ''), true)
$$;

CREATE FUNCTION triage.asked_for() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT current_setting('triage.user_id', true)
$$;

ALTER TABLE triage.repos ENABLE ROW LEVEL SECURITY;
ALTER TABLE triage.repo_facts ENABLE ROW LEVEL SECURITY;
ALTER TABLE triage.scans ENABLE ROW LEVEL SECURITY;
ALTER TABLE triage.fix_drafts ENABLE ROW LEVEL SECURITY;
ALTER TABLE triage.pull_requests ENABLE ROW LEVEL SECURITY;

CREATE POLICY own ON triage.repos USING (user_id = triage.asked_for());
CREATE POLICY own ON triage.repo_facts USING (user_id = triage.asked_for());
CREATE POLICY own ON triage.scans USING (user_id = triage.asked_for());
CREATE POLICY own ON triage.fix_drafts USING (user_id = triage.asked_for());
CREATE POLICY own ON triage.pull_requests USING (user_id = triage.asked_for());
