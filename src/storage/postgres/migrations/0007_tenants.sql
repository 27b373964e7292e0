-- Deleting tenants, purging what has expired, and capping sign-ups.
--
-- A tenant may have millions of rows, so it is deleted in two steps. `mark_deleted` ends its sessions and tokens and erases the
-- account, which takes a moment however large the tenant is: nobody can log in or read anything from then on, and the address is
-- free again. `delete_rows` then deletes the rows in batches, each a short transaction. If that is interrupted, any later call
-- continues where it stopped.

ALTER TABLE triage.users
  -- When a sign-up created the tenant. Null: it was imported, or it signed up before this column existed.
  ADD COLUMN signed_up_at pg_catalog.timestamptz,
  -- When the tenant was marked as deleted. Null: it is not.
  ADD COLUMN deleted_at pg_catalog.timestamptz,
  ALTER COLUMN email_key DROP NOT NULL,
  ADD CONSTRAINT users_email_key_check CHECK (email_key IS NOT NULL OR deleted_at IS NOT NULL);

CREATE INDEX users_by_sign_up ON triage.users (signed_up_at, id) WHERE signed_up_at IS NOT NULL;
CREATE INDEX users_deleted ON triage.users (deleted_at, id) WHERE deleted_at IS NOT NULL;
CREATE INDEX sessions_by_expiry ON triage.sessions (expires_at);

-- A login that read the account just before it was marked as deleted must not start a session afterwards. It fails as it does
-- when the user is gone.
CREATE FUNCTION triage.refuse_deleted_user() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM FROM triage.users u WHERE u.id = NEW.user_id AND u.deleted_at IS NULL FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE foreign_key_violation USING MESSAGE = pg_catalog.format('there is no user %s', NEW.user_id);
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER sessions_of_users BEFORE INSERT OR UPDATE OF user_id ON triage.sessions
  FOR EACH ROW EXECUTE FUNCTION triage.refuse_deleted_user();
CREATE TRIGGER api_tokens_of_users BEFORE INSERT OR UPDATE OF user_id ON triage.api_tokens
  FOR EACH ROW EXECUTE FUNCTION triage.refuse_deleted_user();

-- Locks a tenant out for good, and erases its account; false: there is no such tenant, or it is marked already.
CREATE FUNCTION triage.mark_deleted(tenant text) RETURNS boolean
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE triage.users u
  SET deleted_at = clock_timestamp(), signed_up_at = NULL, email = '', email_key = NULL, name = '', password_hash = ''
  WHERE u.id = tenant AND u.deleted_at IS NULL;
  IF NOT FOUND THEN RETURN false; END IF;
  DELETE FROM triage.sessions s WHERE s.user_id = tenant;
  DELETE FROM triage.api_tokens t WHERE t.user_id = tenant;
  RETURN true;
END $$;

-- Deletes at most about `most` rows of a tenant that is marked as deleted, and the tenant itself once it has no rows left
-- (`is_gone`, also if it was gone before). Rows that refer to others go first, so that no row is looked for in vain by a
-- cascade. Concurrent calls for one tenant take turns.
--
-- Rows are locked in the order of their ids, as writers do it (a deadlock would cost a batch), and found by the primary key
-- whatever the planner's statistics say.
CREATE FUNCTION triage.delete_rows(tenant text, most integer, OUT deleted bigint, OUT is_gone boolean)
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
  SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off
AS $$
DECLARE
  batch bigint;
BEGIN
  deleted := 0;
  PERFORM FROM triage.users u WHERE u.id = tenant AND u.deleted_at IS NOT NULL FOR NO KEY UPDATE;
  is_gone := NOT FOUND;
  IF is_gone THEN RETURN; END IF;
  -- For row-level security, and for triggers that need not count what nobody can read any more.
  PERFORM set_config('triage.user_id', tenant, true), set_config('triage.counts_itself', 'on', true);

  DELETE FROM triage.pull_requests WHERE ctid = ANY (ARRAY(
    SELECT p.ctid FROM triage.pull_requests p WHERE p.user_id = tenant ORDER BY p.id LIMIT most FOR UPDATE));
  GET DIAGNOSTICS batch = ROW_COUNT;
  deleted := deleted + batch;

  IF deleted < most THEN
    DELETE FROM triage.fix_drafts WHERE ctid = ANY (ARRAY(
      SELECT d.ctid FROM triage.fix_drafts d WHERE d.user_id = tenant ORDER BY d.id LIMIT most - deleted FOR UPDATE));
    GET DIAGNOSTICS batch = ROW_COUNT;
    deleted := deleted + batch;
  END IF;

  IF deleted < most THEN
    DELETE FROM triage.scans WHERE ctid = ANY (ARRAY(
      SELECT s.ctid FROM triage.scans s WHERE s.user_id = tenant ORDER BY s.id LIMIT most - deleted FOR UPDATE));
    GET DIAGNOSTICS batch = ROW_COUNT;
    deleted := deleted + batch;
  END IF;

  IF deleted < most THEN
    DELETE FROM triage.repos WHERE ctid = ANY (ARRAY(
      SELECT r.ctid FROM triage.repos r WHERE r.user_id = tenant ORDER BY r.id LIMIT most - deleted FOR UPDATE));
    GET DIAGNOSTICS batch = ROW_COUNT;
    deleted := deleted + batch;
  END IF;

  IF deleted < most THEN
    -- The cascade takes what a writer has added meanwhile. From here on nothing can be added.
    DELETE FROM triage.users u WHERE u.id = tenant;
    -- What is derived has no foreign key. Whoever folds counts of the tenant has finished then.
    PERFORM pg_advisory_xact_lock(triage.fold_key(tenant));
    DELETE FROM triage.changes c WHERE c.user_id = tenant;
    DELETE FROM triage.lists l WHERE l.user_id = tenant;
    DELETE FROM triage.marks m WHERE m.user_id = tenant;
    DELETE FROM triage.advisories a WHERE a.user_id = tenant;
    is_gone := true;
  END IF;
  PERFORM set_config('triage.user_id', '', true), set_config('triage.counts_itself', '', true);
END $$;

-- One round of housekeeping, as `{sessions, tenants, rows}`: deletes at most `most` sessions that have expired, and at most about
-- as many rows of one tenant that is marked as deleted. All zero: nothing is left to do. What another process is working on is
-- skipped. A caller can choose an earlier moment than now, because its clock may be frozen in the past, but no later one.
CREATE FUNCTION triage.purge(at text, most integer) RETURNS json
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off
AS $$
DECLARE
  moment timestamptz := least(now(), triage.moment_of(at));
  sessions bigint;
  tenant text;
  rows bigint := 0;
  is_gone boolean := false;
BEGIN
  DELETE FROM triage.sessions WHERE ctid = ANY (ARRAY(
    SELECT s.ctid FROM triage.sessions s WHERE s.expires_at <= moment ORDER BY s.expires_at LIMIT most
    FOR UPDATE SKIP LOCKED));
  GET DIAGNOSTICS sessions = ROW_COUNT;
  SELECT u.id INTO tenant FROM triage.users u WHERE u.deleted_at IS NOT NULL
  ORDER BY u.deleted_at, u.id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
  IF FOUND THEN SELECT r.deleted, r.is_gone INTO rows, is_gone FROM triage.delete_rows(tenant, most) r; END IF;
  RETURN json_build_object('sessions', sessions, 'tenants', is_gone::integer, 'rows', rows);
END $$;

-- Creates a tenant, its first session and its first rows, and ends another session. Null: somebody has this address, and nothing
-- has happened. Else the ids of the tenants that made room: of more than `max_sign_ups` signed-up tenants, the oldest are marked
-- as deleted, but never the new one, and never one that was imported.
CREATE FUNCTION triage.create_account(
  account json, email_key text, session json, rows json, ended text, max_sign_ups integer
) RETURNS json LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  -- A limit that was lowered is reached in steps, so that no sign-up takes long.
  max_removed constant integer := 10;
  surplus bigint := 0;
  oldest text;
  removed text[] := '{}';
BEGIN
  IF NOT triage.add_user(account, email_key) THEN RETURN NULL; END IF;
  PERFORM triage.add_session(session);
  PERFORM triage.add_rows(account ->> 'id', rows);
  PERFORM triage.end_session(ended);
  -- One sign-up at a time counts the others. The lock comes last, so that it is not held while rows are written.
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
    -- A tenant whose account is locked, for example by a long transaction that adds repositories, is left for the next sign-up.
    PERFORM FROM triage.users u WHERE u.id = oldest FOR UPDATE SKIP LOCKED;
    IF FOUND AND triage.mark_deleted(oldest) THEN removed := removed || oldest; END IF;
  END LOOP;
  RETURN to_json(removed);
END $$;

REVOKE ALL ON FUNCTION triage.refuse_deleted_user, triage.mark_deleted, triage.delete_rows, triage.purge, triage.create_account
  FROM PUBLIC;
