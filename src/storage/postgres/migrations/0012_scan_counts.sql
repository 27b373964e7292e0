-- The counts of a scan are not negative.
ALTER TABLE triage.scans
  ADD CONSTRAINT scans_counts_from_0 CHECK (findings_seen >= 0 AND drafts_opened >= 0);
