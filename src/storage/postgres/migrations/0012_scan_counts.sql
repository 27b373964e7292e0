-- The counts of a scan are not negative. The API has never promised otherwise, and no longer responds with such a row.

-- Writers wait from here on, so that no negative number comes after the update; readers go on.
LOCK TABLE triage.scans IN SHARE ROW EXCLUSIVE MODE;

UPDATE triage.scans SET findings_seen = greatest(findings_seen, 0), drafts_opened = greatest(drafts_opened, 0)
WHERE findings_seen < 0 OR drafts_opened < 0;

-- All rows are known to fit. To validate them again would make readers wait for as long as that takes.
ALTER TABLE triage.scans DROP CONSTRAINT IF EXISTS scans_counts_from_0;
ALTER TABLE triage.scans
  ADD CONSTRAINT scans_counts_from_0 CHECK (findings_seen >= 0 AND drafts_opened >= 0) NOT VALID;
