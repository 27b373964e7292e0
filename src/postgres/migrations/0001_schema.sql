-- The tables of the service, who may see which of their rows, and what servers do with accounts.
--
-- A tenant is one user, and every row names its tenant first. Times have milliseconds, ids compare by code point.

CREATE DOMAIN triage.identifier AS text COLLATE "C" CHECK (char_length(VALUE) BETWEEN 1 AND 200);
CREATE DOMAIN triage.free_text AS text CHECK (char_length(VALUE) <= 100000);
CREATE DOMAIN triage.secret_hash AS text COLLATE "C" CHECK (VALUE ~ '^[0-9a-f]{64}$');

-- The years 0000 (which PostgreSQL calls 1 BC) to 9999: what four digits can write.
CREATE DOMAIN triage.moment AS timestamptz(3)
  CHECK (VALUE >= '0001-01-01 00:00:00+00 BC' AND VALUE < '10000-01-01 00:00:00+00');

-- Numbers that JSON carries exactly: integers up to 2^53 - 1, and finite numbers.
CREATE DOMAIN triage.count AS bigint CHECK (VALUE BETWEEN 0 AND 9007199254740991);
CREATE DOMAIN triage.finite_number AS double precision
  CHECK (VALUE BETWEEN '-1.7976931348623157e308' AND '1.7976931348623157e308');

-- Accounts.

CREATE TABLE triage.users (
  id triage.identifier PRIMARY KEY,
  email text NOT NULL CHECK (char_length(email) <= 254),
  -- The address in the form in which two addresses are one account. Null: the tenant is marked as deleted.
  email_key text COLLATE "C" UNIQUE,
  name triage.free_text NOT NULL,
  password_hash text NOT NULL,
  -- When a sign-up created the tenant. Null: it was imported.
  signed_up_at timestamptz,
  -- Since when the tenant is marked as deleted. Nobody can log in or read its rows any more; batches delete these.
  deleted_at timestamptz,
  CHECK ((email_key IS NULL) = (deleted_at IS NOT NULL))
);

CREATE INDEX users_by_sign_up ON triage.users (signed_up_at, id) WHERE signed_up_at IS NOT NULL;
CREATE INDEX users_deleted ON triage.users (deleted_at, id) WHERE deleted_at IS NOT NULL;

CREATE TABLE triage.sessions (
  user_id text COLLATE "C" NOT NULL REFERENCES triage.users ON DELETE CASCADE,
  id triage.identifier NOT NULL,
  hash triage.secret_hash NOT NULL UNIQUE,
  created_at triage.moment NOT NULL,
  expires_at triage.moment NOT NULL,
  -- A hash of the network address. Null: unknown, as for imported sessions.
  origin text,
  PRIMARY KEY (user_id, id)
);

CREATE INDEX sessions_by_expiry ON triage.sessions (expires_at);

CREATE TABLE triage.api_tokens (
  user_id text COLLATE "C" NOT NULL REFERENCES triage.users ON DELETE CASCADE,
  id triage.identifier NOT NULL,
  name triage.free_text NOT NULL,
  prefix triage.free_text NOT NULL,
  hash triage.secret_hash NOT NULL UNIQUE,
  created_at triage.moment NOT NULL,
  expires_at triage.moment,
  revoked_at triage.moment,
  last_used_at triage.moment,
  PRIMARY KEY (user_id, id)
);

-- Rows that scanners write and the API shows; CONTRIBUTING.md describes them.
--
-- `user_id` is of no domain: with one as its distribution column, Citus finds no row, and reports no error.
--
-- Indexes of lists come before keys: PostgreSQL takes the last of those that look equally good, as all do while a table is small.
-- The check of a foreign key would walk the index of a list, and its plan is kept while the table grows.

CREATE TABLE triage.repos (
  user_id text COLLATE "C" NOT NULL CHECK (char_length(user_id) BETWEEN 1 AND 200) REFERENCES triage.users ON DELETE CASCADE,
  id triage.identifier NOT NULL,
  owner triage.free_text NOT NULL,
  repo triage.free_text NOT NULL,
  default_branch triage.free_text NOT NULL,
  is_demo_row boolean NOT NULL,
  scan_status_badge triage.free_text NOT NULL,
  status triage.free_text NOT NULL,
  PRIMARY KEY (user_id, id)
);

CREATE TABLE triage.scans (
  user_id text COLLATE "C" NOT NULL CHECK (char_length(user_id) BETWEEN 1 AND 200),
  id triage.identifier NOT NULL,
  repo_id triage.identifier NOT NULL,
  started_at triage.moment NOT NULL,
  finished_at triage.moment NOT NULL,
  status triage.free_text NOT NULL,
  findings_seen triage.count NOT NULL,
  drafts_opened triage.count NOT NULL,
  error triage.free_text
);

CREATE INDEX scans_of_repo ON triage.scans (user_id, repo_id, started_at DESC, id DESC);

ALTER TABLE triage.scans
  ADD PRIMARY KEY (user_id, id),
  ADD FOREIGN KEY (user_id, repo_id) REFERENCES triage.repos ON DELETE CASCADE;

CREATE TABLE triage.fix_drafts (
  user_id text COLLATE "C" NOT NULL CHECK (char_length(user_id) BETWEEN 1 AND 200),
  id triage.identifier NOT NULL,
  repo_id triage.identifier NOT NULL,
  advisory_id triage.free_text NOT NULL,
  package triage.free_text NOT NULL,
  ecosystem triage.free_text NOT NULL,
  vulnerable_range triage.free_text NOT NULL,
  fixed_range triage.free_text NOT NULL,
  severity text NOT NULL CHECK (severity IN ('critical', 'high', 'medium', 'low')),
  reachability triage.finite_number NOT NULL,
  exploit_signal triage.finite_number NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'drafting', 'escalated', 'resolved')),
  ci_status triage.free_text NOT NULL,
  discovered_at triage.moment NOT NULL,
  updated_at triage.moment NOT NULL,
  reconciled_at triage.moment
);

CREATE INDEX findings ON triage.fix_drafts (user_id, discovered_at DESC, id);
CREATE INDEX findings_of_repo ON triage.fix_drafts (user_id, repo_id, discovered_at DESC, id);

ALTER TABLE triage.fix_drafts
  ADD PRIMARY KEY (user_id, id),
  ADD UNIQUE (user_id, repo_id, id),
  ADD FOREIGN KEY (user_id, repo_id) REFERENCES triage.repos ON DELETE CASCADE;

CREATE TABLE triage.pull_requests (
  user_id text COLLATE "C" NOT NULL CHECK (char_length(user_id) BETWEEN 1 AND 200),
  id triage.identifier NOT NULL,
  -- The repository of the draft, held equal by the foreign key, so that the list of one repository is a range of an index.
  repo_id triage.identifier NOT NULL,
  draft_id triage.identifier NOT NULL,
  from_version triage.free_text NOT NULL,
  to_version triage.free_text NOT NULL,
  branch triage.free_text NOT NULL,
  has_codemod boolean NOT NULL,
  codemod_summary triage.free_text NOT NULL,
  ci_status triage.free_text NOT NULL,
  pr_url triage.free_text NOT NULL,
  pr_state triage.free_text,
  -- The value of the filter `status` that finds the row; null: none.
  pr_status text COLLATE "C" GENERATED ALWAYS AS (
    CASE
      WHEN pr_state IS NULL OR pr_state IN ('closed', 'cancelled') THEN 'closed'
      WHEN pr_state IN ('open', 'merged') THEN pr_state
    END
  ) STORED,
  created_at triage.moment NOT NULL,
  updated_at triage.moment NOT NULL,
  reconciled_at triage.moment
);

CREATE INDEX prs ON triage.pull_requests (user_id, created_at DESC, id);
CREATE INDEX prs_of_repo ON triage.pull_requests (user_id, repo_id, created_at DESC, id);
CREATE INDEX prs_of_status ON triage.pull_requests (user_id, pr_status, created_at DESC, id);
CREATE INDEX prs_of_repo_and_status ON triage.pull_requests (user_id, repo_id, pr_status, created_at DESC, id);
CREATE INDEX open_prs ON triage.pull_requests (user_id, repo_id, updated_at DESC, id) WHERE pr_status = 'open';

ALTER TABLE triage.pull_requests
  ADD PRIMARY KEY (user_id, id),
  ADD FOREIGN KEY (user_id, repo_id, draft_id) REFERENCES triage.fix_drafts (user_id, repo_id, id)
    ON UPDATE CASCADE ON DELETE CASCADE;

CREATE INDEX prs_of_draft ON triage.pull_requests (user_id, repo_id, draft_id);

-- Updates of columns that no index has stay on their page as long as it has room: this takes a fifth of the time, and a transaction
-- that stays open slows reads less. What is not vacuumed slows counting, and a part of a large table would be a large number of rows.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['repos', 'scans', 'fix_drafts', 'pull_requests'] LOOP
    EXECUTE format('ALTER TABLE triage.%I SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
      autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 5000)', name);
  END LOOP;
END $$;

ALTER TABLE triage.repos SET (fillfactor = 50);
ALTER TABLE triage.fix_drafts SET (fillfactor = 50);

-- Row-level security: a role that does not own the tables sees the rows of one tenant, which its transaction has set. Without one
-- it gets an error, never an empty answer.

CREATE FUNCTION triage.no_tenant() RETURNS text LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RAISE insufficient_privilege USING MESSAGE = 'no tenant is set',
    HINT = 'SELECT set_config(''triage.user_id'', ''the id of the tenant'', true), in the same transaction';
END $$;

-- The subquery makes PostgreSQL look once a statement, not once a row; and the function is called only to raise its error, because a
-- call would cost a short write a fifth of its time.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['repos', 'scans', 'fix_drafts', 'pull_requests'] LOOP
    EXECUTE format('ALTER TABLE triage.%I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format($policy$CREATE POLICY own ON triage.%I USING (
      user_id = (SELECT coalesce(nullif(current_setting('triage.user_id', true), ''), triage.no_tenant())))$policy$, name);
  END LOOP;
END $$;

-- Functions for servers. Most run with the rights of their owner: a server finds a session by its hash, but cannot read all sessions.
-- Their path names `pg_temp` last, because PostgreSQL would look there first for types. Records are JSON objects whose keys are columns.

-- The user of a valid token, else of a valid session. No row: nobody. `use_due`: no use of the token was recorded for a minute.
-- `session_expires_at`: null if the token is valid.
CREATE FUNCTION triage.caller_of(session_hash text, token_hash text, at timestamptz)
  RETURNS TABLE (user_id text, use_due boolean, session_expires_at triage.moment) LANGUAGE plpgsql STABLE ROWS 1 SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY SELECT t.user_id, t.last_used_at IS NULL OR at - t.last_used_at >= interval '1 minute', NULL::triage.moment
  FROM triage.api_tokens t
  WHERE t.hash = token_hash AND (t.expires_at IS NULL OR t.expires_at > at) AND (t.revoked_at IS NULL OR t.revoked_at > at);
  IF NOT FOUND THEN
    RETURN QUERY SELECT s.user_id, false, s.expires_at FROM triage.sessions s WHERE s.hash = session_hash AND s.expires_at > at;
  END IF;
END $$;

CREATE FUNCTION triage.record_token_use(token_hash text, at timestamptz) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  UPDATE triage.api_tokens SET last_used_at = at
  WHERE hash = token_hash AND (last_used_at IS NULL OR at - last_used_at >= interval '1 minute')
$$;

CREATE FUNCTION triage.user_by_email(key text) RETURNS triage.users
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  RETURN (SELECT u FROM triage.users u WHERE u.email_key = key);

-- Without the password hash, which nobody gets by an id.
CREATE FUNCTION triage.user_profile(caller text) RETURNS jsonb LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  RETURN (SELECT to_jsonb(u) - 'password_hash' FROM triage.users u WHERE u.id = caller AND u.deleted_at IS NULL);

-- Adds rows of a tenant, a list for each of some tables. A new column needs no change here: the first row of a list names its columns.
CREATE FUNCTION triage.add_rows(tenant text, rows json) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  name text;
  columns text;
BEGIN
  FOREACH name IN ARRAY ARRAY['repos', 'scans', 'fix_drafts', 'pull_requests'] LOOP
    SELECT string_agg(quote_ident(key), ', ') INTO columns FROM json_object_keys(rows -> name -> 0) AS key;
    CONTINUE WHEN columns IS NULL;
    EXECUTE format('INSERT INTO triage.%1$s (user_id, %2$s) SELECT $1, %2$s FROM json_populate_recordset(NULL::triage.%1$s, $2)',
      name, columns) USING tenant, rows -> name;
  END LOOP;
END $$;

-- Locks a user, so that logins and mints of one user come one after the other. An error if the user is deleted meanwhile.
CREATE FUNCTION triage.lock_user(user_id text) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM FROM triage.users u WHERE u.id = lock_user.user_id AND u.deleted_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN RAISE foreign_key_violation USING MESSAGE = format('there is no user %s', user_id); END IF;
END $$;

CREATE FUNCTION triage.end_session(ended text) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DELETE FROM triage.sessions WHERE hash = ended
$$;

-- Starts a session and ends another. The user's expired ones end as well; and of more than `most`, the oldest of the origin that
-- has most of them, so that nobody ends the sessions of others in a shared account by logging in often.
CREATE FUNCTION triage.start_session(session json, ended text, most integer) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  new triage.sessions := json_populate_record(NULL::triage.sessions, session);
BEGIN
  PERFORM triage.lock_user(new.user_id);
  DELETE FROM triage.sessions s
  WHERE s.hash = ended OR s.user_id = new.user_id AND s.expires_at <= new.created_at;
  DELETE FROM triage.sessions s
  WHERE s.user_id = new.user_id AND s.id IN (
    SELECT o.id FROM triage.sessions o WHERE o.user_id = new.user_id
    ORDER BY count(*) OVER (PARTITION BY o.origin) + (o.origin IS NOT DISTINCT FROM new.origin)::integer DESC, o.created_at, o.id DESC
    LIMIT greatest(0, (SELECT count(*) FROM triage.sessions a WHERE a.user_id = new.user_id) + 1 - most));
  INSERT INTO triage.sessions SELECT new.*;
END $$;

-- The hash of a token is looked up, never told.
CREATE FUNCTION triage.list_api_tokens(caller text) RETURNS SETOF jsonb
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' AS $$
  SELECT to_jsonb(t) - 'hash' FROM triage.api_tokens t WHERE t.user_id = caller ORDER BY t.created_at DESC, t.id
$$;

-- Adds a token to a user who has fewer than `most` valid ones; false: the user has more. Of more than `most_listed` in all, the
-- oldest that are not valid any more are forgotten.
CREATE FUNCTION triage.mint_api_token(token json, most integer, most_listed integer) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  new triage.api_tokens := json_populate_record(NULL::triage.api_tokens, token);
BEGIN
  PERFORM triage.lock_user(new.user_id);
  IF most <= (
    SELECT count(*) FROM triage.api_tokens t
    WHERE t.user_id = new.user_id AND (t.expires_at IS NULL OR t.expires_at > new.created_at)
      AND (t.revoked_at IS NULL OR t.revoked_at > new.created_at))
  THEN
    RETURN false;
  END IF;
  INSERT INTO triage.api_tokens SELECT new.*;
  DELETE FROM triage.api_tokens t
  WHERE t.user_id = new.user_id AND t.id IN (
    SELECT o.id FROM triage.api_tokens o
    WHERE o.user_id = new.user_id AND (o.expires_at <= new.created_at OR o.revoked_at <= new.created_at)
    ORDER BY o.created_at, o.id
    LIMIT greatest(0, (SELECT count(*) FROM triage.api_tokens a WHERE a.user_id = new.user_id) - most_listed));
  RETURN true;
END $$;

-- Null: the caller has no token with this id.
CREATE FUNCTION triage.revoke_api_token(caller text, token_id text, at timestamptz) RETURNS boolean
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  UPDATE triage.api_tokens t SET revoked_at = least(t.revoked_at, at) WHERE t.user_id = caller AND t.id = token_id RETURNING true
$$;

-- Replaces the password hash `known`, ends all sessions, and starts one. False, without a change: no such user, or another password.
CREATE FUNCTION triage.change_password(caller text, known text, wanted text, session json) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  new triage.sessions := json_populate_record(NULL::triage.sessions, session);
BEGIN
  IF new.user_id IS DISTINCT FROM caller THEN
    RAISE check_violation USING MESSAGE = 'the session belongs to another user';
  END IF;
  -- Logins of this user wait here, so that none of them starts a session in between.
  UPDATE triage.users u SET password_hash = wanted
  WHERE u.id = caller AND u.password_hash = known AND u.deleted_at IS NULL;
  IF NOT FOUND THEN RETURN false; END IF;
  DELETE FROM triage.sessions s WHERE s.user_id = caller;
  INSERT INTO triage.sessions SELECT new.*;
  RETURN true;
END $$;

-- Creates a tenant with its first session and rows, and ends another session. Null: somebody has this address, and nothing has
-- happened. Else the ids of the tenants that made room: of more than `max_sign_ups` signed-up ones, the oldest are deleted, at
-- most ten at once, so that a limit that was lowered is reached in steps and no sign-up takes long.
CREATE FUNCTION triage.create_account(account json, session json, rows json, ended text, max_sign_ups integer) RETURNS text[]
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  surplus bigint := 0;
  oldest text;
  removed text[] := '{}';
BEGIN
  INSERT INTO triage.users SELECT * FROM json_populate_record(NULL::triage.users, account)
  ON CONFLICT ON CONSTRAINT users_email_key_key DO NOTHING;
  IF NOT FOUND THEN RETURN NULL; END IF;
  INSERT INTO triage.sessions SELECT * FROM json_populate_record(NULL::triage.sessions, session);
  PERFORM triage.add_rows(account ->> 'id', rows);
  PERFORM triage.end_session(ended);
  -- One sign-up at a time counts the others. The lock comes last, so that it is not held while rows are written.
  IF max_sign_ups IS NOT NULL THEN PERFORM pg_advisory_xact_lock(hashtext('triage-api: sign-ups')); END IF;
  UPDATE triage.users u SET signed_up_at = clock_timestamp() WHERE u.id = account ->> 'id';
  IF max_sign_ups IS NOT NULL THEN
    SELECT greatest(0, count(*) - max_sign_ups) INTO surplus
    FROM (SELECT FROM triage.users u WHERE u.signed_up_at IS NOT NULL LIMIT max_sign_ups + 10) u;
  END IF;
  FOR oldest IN
    SELECT u.id FROM triage.users u WHERE u.signed_up_at IS NOT NULL AND u.id <> account ->> 'id'
    ORDER BY u.signed_up_at, u.id LIMIT surplus
  LOOP
    -- A tenant whose account is locked, for example by a transaction that adds repositories, is left to the next sign-up.
    PERFORM FROM triage.users u WHERE u.id = oldest FOR UPDATE SKIP LOCKED;
    IF FOUND AND triage.delete_account(oldest) THEN removed := removed || oldest; END IF;
  END LOOP;
  RETURN removed;
END $$;

-- Locks a tenant out for good and erases its account; false: there is none. This takes a moment: rows are left to `delete_rows`.
CREATE FUNCTION triage.delete_account(tenant text) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE triage.users u
  SET deleted_at = clock_timestamp(), signed_up_at = NULL, email = '', email_key = NULL, name = '', password_hash = ''
  WHERE u.id = tenant AND u.deleted_at IS NULL;
  IF NOT FOUND THEN RETURN false; END IF;
  DELETE FROM triage.sessions s WHERE s.user_id = tenant;
  DELETE FROM triage.api_tokens t WHERE t.user_id = tenant;
  RETURN true;
END $$;

CREATE FUNCTION triage.deleted_tenants() RETURNS SETOF text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT id FROM triage.users WHERE deleted_at IS NOT NULL ORDER BY deleted_at, id
$$;

-- Deletes at most `most` rows of a tenant, and returns how many. Rows that refer to others go first, and rows are locked in the order
-- of their ids, as writers do it: a deadlock would cost a batch.
CREATE FUNCTION triage.delete_rows(tenant text, most integer) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
DECLARE
  name text;
  batch bigint;
  deleted bigint := 0;
BEGIN
  FOREACH name IN ARRAY ARRAY['pull_requests', 'fix_drafts', 'scans', 'repos'] LOOP
    EXECUTE format('DELETE FROM triage.%1$I WHERE user_id = $1 AND id = ANY (ARRAY(
      SELECT id FROM triage.%1$I WHERE user_id = $1 ORDER BY id LIMIT $2 FOR UPDATE))', name) USING tenant, most - deleted;
    GET DIAGNOSTICS batch = ROW_COUNT;
    deleted := deleted + batch;
  END LOOP;
  RETURN deleted;
END $$;

-- The same for a tenant that is marked as deleted, and for no other. Nobody imports the tenant again meanwhile.
CREATE FUNCTION triage.delete_rows_of_deleted(tenant text, most integer) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM FROM triage.users u WHERE u.id = tenant AND u.deleted_at IS NOT NULL FOR NO KEY UPDATE;
  RETURN CASE WHEN FOUND THEN triage.delete_rows(tenant, most) ELSE 0 END;
END $$;

-- Forgets a tenant that is marked as deleted, with rows that a writer has added since its rows were deleted. Null: there is none.
CREATE FUNCTION triage.forget_tenant(tenant text) RETURNS boolean
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DELETE FROM triage.users u WHERE u.id = tenant AND u.deleted_at IS NOT NULL RETURNING true
$$;

-- Deletes at most `most` sessions that had expired at a moment, and none that is valid now: the clock of a caller may be frozen.
CREATE FUNCTION triage.purge_sessions(at timestamptz, most integer) RETURNS bigint
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
  WITH gone AS (
    DELETE FROM triage.sessions WHERE ctid = ANY (ARRAY(
      SELECT s.ctid FROM triage.sessions s WHERE s.expires_at <= least(now(), at) ORDER BY s.expires_at LIMIT most
      FOR UPDATE SKIP LOCKED))
    RETURNING 1)
  SELECT count(*) FROM gone
$$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA triage FROM PUBLIC;
