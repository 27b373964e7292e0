-- Accounts, sessions and API tokens. These functions act as the owner of the schema, so that a role which serves can do what
-- they do and nothing else: it can find a session by its hash, but not read the list of sessions.

-- Text as the API writes a moment. The year 0000 is 1 BC to PostgreSQL.
CREATE FUNCTION triage.moment_of(iso text) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN iso LIKE '0000-%' THEN ('0001' || substr(iso, 5) || ' BC')::timestamptz ELSE iso::timestamptz END
$$;

-- Whom credentials belong to: a token that holds decides, else a session that holds. `use_due`: the token has not been noted
-- as used for a while. No row: nobody.
CREATE FUNCTION triage.caller_of(session_hash text, token_hash text, at text)
  RETURNS TABLE (user_id text, use_due boolean) LANGUAGE plpgsql STABLE SECURITY DEFINER
  SET search_path = '' SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off
AS $$
DECLARE
  moment timestamptz := triage.moment_of(at);
BEGIN
  SELECT t.user_id, t.last_used_at IS NULL OR moment - t.last_used_at >= interval '1 minute' INTO user_id, use_due
  FROM triage.api_tokens t
  WHERE t.hash = token_hash
    AND (t.expires_at IS NULL OR t.expires_at > moment) AND (t.revoked_at IS NULL OR t.revoked_at > moment);
  IF NOT FOUND THEN
    SELECT s.user_id, false INTO user_id, use_due
    FROM triage.sessions s WHERE s.hash = session_hash AND s.expires_at > moment;
  END IF;
  IF FOUND THEN RETURN NEXT; END IF;
END $$;

CREATE FUNCTION triage.note_api_token_use(token_hash text, at text) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
  UPDATE triage.api_tokens SET last_used_at = triage.moment_of(at)
  WHERE hash = token_hash
    AND (last_used_at IS NULL OR triage.moment_of(at) - last_used_at >= interval '1 minute')
$$;

CREATE FUNCTION triage.user_by_email(key text) RETURNS json
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT json_build_object('id', id, 'email', email, 'name', name, 'passwordHash', password_hash)
  FROM triage.users WHERE email_key = key
$$;

CREATE FUNCTION triage.user_facts(caller text) RETURNS json
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT json_build_object('id', id, 'email', email, 'name', name) FROM triage.users WHERE id = caller
$$;

-- Adds rows to a tenant: an object with the collections of a fixture file, each of which may be left out.
CREATE FUNCTION triage.add_rows(caller text, rows json) RETURNS void
  LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
  INSERT INTO triage.repos (user_id, id, owner, repo, default_branch, is_demo_row, scan_status_badge, status)
  SELECT caller, x.id, x.owner, x.repo, x."defaultBranch", x."isDemoRow", x."scanStatusBadge", x.status
  FROM json_to_recordset(coalesce(rows -> 'repos', '[]')) AS x (
    id text, owner text, repo text, "defaultBranch" text, "isDemoRow" boolean, "scanStatusBadge" text, status text);

  INSERT INTO triage.scans (
    user_id, id, repo_id, started_at, finished_at, status, findings_seen, drafts_opened, error)
  SELECT caller, x.id, x."repoId", triage.moment_of(x."startedAt"), triage.moment_of(x."finishedAt"), x.status,
    x."findingsSeen", x."draftsOpened", x.error
  FROM json_to_recordset(coalesce(rows -> 'scans', '[]')) AS x (
    id text, "repoId" text, "startedAt" text, "finishedAt" text, status text, "findingsSeen" bigint,
    "draftsOpened" bigint, error text);

  INSERT INTO triage.fix_drafts (
    user_id, id, repo_id, advisory_id, package, ecosystem, vulnerable_range, fixed_range, severity, reachability,
    exploit_signal, status, ci_status, discovered_at, updated_at, reconciled_at)
  SELECT caller, x.id, x."repoId", x."advisoryId", x.package, x.ecosystem, x."vulnerableRange", x."fixedRange",
    x.severity, x.reachability, x."exploitSignal", x.status, x."ciStatus", triage.moment_of(x."discoveredAt"),
    triage.moment_of(x."updatedAt"), triage.moment_of(x."reconciledAt")
  FROM json_to_recordset(coalesce(rows -> 'fixDrafts', '[]')) AS x (
    id text, "repoId" text, "advisoryId" text, package text, ecosystem text, "vulnerableRange" text,
    "fixedRange" text, severity text, reachability double precision, "exploitSignal" double precision, status text,
    "ciStatus" text, "discoveredAt" text, "updatedAt" text, "reconciledAt" text);

  -- Where there is no such draft there is no repository either, and the row is refused.
  INSERT INTO triage.pull_requests (
    user_id, id, repo_id, draft_id, from_version, to_version, branch, has_codemod, codemod_summary, ci_status, pr_url,
    pr_state, created_at, updated_at, reconciled_at)
  SELECT caller, x.id, d.repo_id, x."draftId", x."fromVersion", x."toVersion", x.branch, x."hasCodemod",
    x."codemodSummary", x."ciStatus", x."prUrl", x."prState", triage.moment_of(x."createdAt"),
    triage.moment_of(x."updatedAt"), triage.moment_of(x."reconciledAt")
  FROM json_to_recordset(coalesce(rows -> 'pullRequests', '[]')) AS x (
    id text, "draftId" text, "fromVersion" text, "toVersion" text, branch text, "hasCodemod" boolean,
    "codemodSummary" text, "ciStatus" text, "prUrl" text, "prState" text, "createdAt" text, "updatedAt" text,
    "reconciledAt" text)
  LEFT JOIN triage.fix_drafts d ON d.user_id = caller AND d.id = x."draftId";
END $$;

-- Adds a tenant without rows; false: somebody has this address.
CREATE FUNCTION triage.add_user(account json, email_key text) RETURNS boolean
  LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
  INSERT INTO triage.users (id, email, email_key, name, password_hash)
  VALUES (account ->> 'id', account ->> 'email', add_user.email_key, account ->> 'name', account ->> 'passwordHash')
  ON CONFLICT ON CONSTRAINT users_email_key_key DO NOTHING;
  RETURN FOUND;
END $$;

CREATE FUNCTION triage.add_session(session json) RETURNS void LANGUAGE sql SET search_path = '' AS $$
  INSERT INTO triage.sessions (user_id, id, hash, created_at, expires_at)
  VALUES (session ->> 'userId', session ->> 'id', session ->> 'hash',
    triage.moment_of(session ->> 'createdAt'), triage.moment_of(session ->> 'expiresAt'))
$$;

CREATE FUNCTION triage.add_token(token json) RETURNS void LANGUAGE sql SET search_path = '' AS $$
  INSERT INTO triage.api_tokens (
    user_id, id, name, prefix, hash, created_at, expires_at, revoked_at, last_used_at)
  VALUES (token ->> 'userId', token ->> 'id', token ->> 'name', token ->> 'prefix', token ->> 'hash',
    triage.moment_of(token ->> 'createdAt'), triage.moment_of(token ->> 'expiresAt'),
    triage.moment_of(token ->> 'revokedAt'), triage.moment_of(token ->> 'lastUsedAt'))
$$;

CREATE FUNCTION triage.end_session(session_hash text) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
  DELETE FROM triage.sessions WHERE hash = session_hash
$$;

-- Starts a session and ends another. The user's expired ones go, and of more than `most` the oldest.
CREATE FUNCTION triage.start_session(session json, ended text, most integer) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
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
    ORDER BY o.created_at DESC, o.id OFFSET most - 1);
END $$;

CREATE FUNCTION triage.list_api_tokens(caller text) RETURNS json
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT coalesce(json_agg(json_build_object(
    'id', t.id, 'userId', t.user_id, 'name', t.name, 'prefix', t.prefix, 'hash', t.hash,
    'createdAt', triage.iso(t.created_at), 'expiresAt', triage.iso(t.expires_at), 'revokedAt', triage.iso(t.revoked_at),
    'lastUsedAt', triage.iso(t.last_used_at)) ORDER BY t.created_at DESC, t.id), '[]')
  FROM triage.api_tokens t WHERE t.user_id = caller
$$;

-- Adds a token to a user who has fewer than `most` that hold; false: has not. Of more than `most_listed` in all, the oldest
-- that hold no more are forgotten.
CREATE FUNCTION triage.mint_api_token(token json, most integer, most_listed integer) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  caller text := token ->> 'userId';
  moment timestamptz := triage.moment_of(token ->> 'createdAt');
  holding bigint;
BEGIN
  -- One after the other, so that no two of them take the last place.
  PERFORM 1 FROM triage.users u WHERE u.id = caller FOR NO KEY UPDATE;
  SELECT count(*) INTO holding FROM triage.api_tokens t
  WHERE t.user_id = caller AND (t.expires_at IS NULL OR t.expires_at > moment)
    AND (t.revoked_at IS NULL OR t.revoked_at > moment);
  IF holding >= most THEN RETURN false; END IF;
  PERFORM triage.add_token(token);
  DELETE FROM triage.api_tokens t
  WHERE t.user_id = caller AND t.id IN (
    SELECT o.id FROM triage.api_tokens o
    WHERE o.user_id = caller AND (o.expires_at <= moment OR o.revoked_at <= moment)
    ORDER BY o.created_at, o.id
    LIMIT greatest(0, (SELECT count(*) FROM triage.api_tokens a WHERE a.user_id = caller) - most_listed));
  RETURN true;
END $$;

-- Revokes a token of the caller; false: there is none with this id.
CREATE FUNCTION triage.revoke_api_token(caller text, token_id text, at text) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  UPDATE triage.api_tokens t SET revoked_at = least(t.revoked_at, triage.moment_of(at))
  WHERE t.user_id = caller AND t.id = token_id;
  RETURN FOUND;
END $$;

-- Nobody may do any of this without being told so.
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA triage FROM PUBLIC;
