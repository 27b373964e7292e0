-- What is stored, as the record codecs have it: every table is keyed by tenant first, so that a distributed PostgreSQL can
-- place a tenant whole. Times are kept to the millisecond, and text compares by code point.
--
-- Of two indexes that look equally good, PostgreSQL takes the one that was made last, and while a table is small or unknown to
-- it, all look good: the check of a foreign key would walk a list's index, and keep doing so while the table grows by a
-- million rows. So the indexes of lists come first, and the keys after them.

CREATE DOMAIN triage.identifier AS text COLLATE "C"
  CHECK (char_length(VALUE) BETWEEN 1 AND 200);

CREATE DOMAIN triage.secret_hash AS text COLLATE "C"
  CHECK (VALUE ~ '^[0-9a-f]{64}$');

-- The years 0000 (which PostgreSQL calls 1 BC) to 9999: what four digits can write.
CREATE DOMAIN triage.moment AS timestamptz(3)
  CHECK (VALUE >= '0001-01-01 00:00:00+00 BC' AND VALUE < '10000-01-01 00:00:00+00');

-- What JSON carries exactly: whole numbers up to 2^53 - 1, and finite ones.
CREATE DOMAIN triage.whole_number AS bigint
  CHECK (VALUE BETWEEN -9007199254740991 AND 9007199254740991);

CREATE DOMAIN triage.finite_number AS double precision
  CHECK (VALUE BETWEEN '-1.7976931348623157e308' AND '1.7976931348623157e308');

CREATE TABLE triage.users (
  id triage.identifier PRIMARY KEY,
  email text NOT NULL,
  -- The address in the form in which two addresses are one account.
  email_key text COLLATE "C" NOT NULL UNIQUE,
  name text NOT NULL,
  password_hash text NOT NULL
);

CREATE TABLE triage.sessions (
  user_id triage.identifier NOT NULL REFERENCES triage.users ON DELETE CASCADE,
  id triage.identifier NOT NULL,
  hash triage.secret_hash NOT NULL UNIQUE,
  created_at triage.moment NOT NULL,
  expires_at triage.moment NOT NULL,
  PRIMARY KEY (user_id, id)
);

CREATE TABLE triage.api_tokens (
  user_id triage.identifier NOT NULL REFERENCES triage.users ON DELETE CASCADE,
  id triage.identifier NOT NULL,
  name text NOT NULL,
  prefix text NOT NULL,
  hash triage.secret_hash NOT NULL UNIQUE,
  created_at triage.moment NOT NULL,
  expires_at triage.moment,
  revoked_at triage.moment,
  last_used_at triage.moment,
  PRIMARY KEY (user_id, id)
);

CREATE TABLE triage.repos (
  user_id triage.identifier NOT NULL REFERENCES triage.users ON DELETE CASCADE,
  id triage.identifier NOT NULL,
  owner text NOT NULL,
  repo text NOT NULL,
  default_branch text NOT NULL,
  is_demo_row boolean NOT NULL,
  scan_status_badge text NOT NULL,
  status text NOT NULL,
  PRIMARY KEY (user_id, id)
);

CREATE TABLE triage.scans (
  user_id triage.identifier NOT NULL,
  id triage.identifier NOT NULL,
  repo_id triage.identifier NOT NULL,
  started_at triage.moment NOT NULL,
  finished_at triage.moment NOT NULL,
  status text NOT NULL,
  findings_seen triage.whole_number NOT NULL,
  drafts_opened triage.whole_number NOT NULL,
  error text
);

CREATE INDEX scans_of_repo ON triage.scans (user_id, repo_id, started_at DESC, id DESC);

ALTER TABLE triage.scans
  ADD PRIMARY KEY (user_id, id),
  ADD FOREIGN KEY (user_id, repo_id) REFERENCES triage.repos ON DELETE CASCADE;

CREATE TABLE triage.fix_drafts (
  user_id triage.identifier NOT NULL,
  id triage.identifier NOT NULL,
  repo_id triage.identifier NOT NULL,
  advisory_id text NOT NULL,
  package text NOT NULL,
  ecosystem text NOT NULL,
  vulnerable_range text NOT NULL,
  fixed_range text NOT NULL,
  severity text NOT NULL CHECK (severity IN ('critical', 'high', 'medium', 'low')),
  reachability triage.finite_number NOT NULL,
  exploit_signal triage.finite_number NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'drafting', 'escalated', 'resolved')),
  ci_status text NOT NULL,
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
  user_id triage.identifier NOT NULL,
  id triage.identifier NOT NULL,
  -- That of the draft, held equal by the foreign key, so that the list of one repository is a range of an index.
  repo_id triage.identifier NOT NULL,
  draft_id triage.identifier NOT NULL,
  from_version text NOT NULL,
  to_version text NOT NULL,
  branch text NOT NULL,
  has_codemod boolean NOT NULL,
  codemod_summary text NOT NULL,
  ci_status text NOT NULL,
  pr_url text NOT NULL,
  pr_state text,
  -- The filter value that the free-form state answers to; null: none.
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
