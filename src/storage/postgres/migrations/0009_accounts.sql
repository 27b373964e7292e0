-- Users change their password and delete their account.

-- Replaces the password hash `known` of a user with `wanted`, ends all sessions of the user, and starts another one. False: the
-- user is gone, or has another password by now, and nothing has happened.
CREATE FUNCTION triage.change_password(caller text, known text, wanted text, session json) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF session ->> 'userId' IS DISTINCT FROM caller THEN
    RAISE check_violation USING MESSAGE = 'the session belongs to another user';
  END IF;
  -- Logins of this user wait here, so that none of them starts a session in between.
  UPDATE triage.users u SET password_hash = wanted
  WHERE u.id = caller AND u.password_hash = known AND u.deleted_at IS NULL;
  IF NOT FOUND THEN RETURN false; END IF;
  DELETE FROM triage.sessions s WHERE s.user_id = caller;
  PERFORM triage.add_session(session);
  RETURN true;
END $$;

-- Locks a user out for good, and erases the account; false: there is no such user, or it is deleted already. This takes a moment
-- however many rows the user has; they are left to `delete_rows_of_account` and `purge`.
CREATE FUNCTION triage.delete_account(caller text) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN triage.mark_deleted(caller);
END $$;

-- Deletes at most about `most` rows of a user whose account is deleted; true: nothing is left. It deletes nothing of anybody else.
CREATE FUNCTION triage.delete_rows_of_account(caller text, most integer) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN (SELECT r.is_gone FROM triage.delete_rows(caller, most) r);
END $$;

REVOKE ALL ON FUNCTION triage.change_password, triage.delete_account, triage.delete_rows_of_account FROM PUBLIC;

-- Roles that may sign tenants up may do this, too.
DO $$
DECLARE
  grantee text;
BEGIN
  FOR grantee IN
    SELECT DISTINCT r.rolname FROM pg_catalog.pg_proc p
    CROSS JOIN LATERAL pg_catalog.aclexplode(p.proacl) a
    JOIN pg_catalog.pg_roles r ON r.oid = a.grantee
    WHERE p.oid = 'triage.create_account(json, text, json, json, text, integer)'::regprocedure
      AND a.privilege_type = 'EXECUTE' AND r.oid <> p.proowner
  LOOP
    EXECUTE pg_catalog.format(
      'GRANT EXECUTE ON FUNCTION triage.change_password, triage.delete_account, triage.delete_rows_of_account TO %I', grantee);
  END LOOP;
END $$;
