-- Sessions remember where they were started, so that of too many sessions of a user those of the newest one's own network address
-- go first: a stranger who knows the password of a shared account cannot end the sessions of others by logging in often.

-- A hash of the network address. Null: unknown, as for sessions that were imported.
ALTER TABLE triage.sessions ADD COLUMN origin pg_catalog.text;

CREATE OR REPLACE FUNCTION triage.add_session(session json) RETURNS void
  LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
  INSERT INTO triage.sessions (user_id, id, hash, created_at, expires_at, origin)
  VALUES (session ->> 'userId', session ->> 'id', session ->> 'hash',
    triage.moment_of(session ->> 'createdAt'), triage.moment_of(session ->> 'expiresAt'), session ->> 'origin')
$$;

-- Starts a session and ends another. The user's expired ones go. Of more than `most`, those of the same origin go first, then any
-- others, the oldest first.
CREATE OR REPLACE FUNCTION triage.start_session(session json, ended text, most integer) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  caller text := session ->> 'userId';
BEGIN
  -- Logins of one user come one after the other, so that no two of them count the same sessions.
  PERFORM 1 FROM triage.users u WHERE u.id = caller FOR NO KEY UPDATE;
  PERFORM triage.end_session(ended);
  PERFORM triage.add_session(session);
  DELETE FROM triage.sessions s
  WHERE s.user_id = caller AND s.expires_at <= triage.moment_of(session ->> 'createdAt');
  DELETE FROM triage.sessions s
  WHERE s.user_id = caller AND s.id IN (
    SELECT o.id FROM triage.sessions o WHERE o.user_id = caller AND o.id <> session ->> 'id'
    ORDER BY (o.origin = session ->> 'origin') IS TRUE DESC, o.created_at, o.id DESC
    LIMIT greatest(0, (SELECT count(*) FROM triage.sessions a WHERE a.user_id = caller) - most));
END $$;
