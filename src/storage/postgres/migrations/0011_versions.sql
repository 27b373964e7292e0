-- The version of a page depends on all that it is made of. The hash of an empty array is 1, whatever its seed is: a page whose rows all
-- have the same time, and that is neither the first nor near the end, had that version for ever, and answers with it were kept.

DO $$
DECLARE
  page record;
  fixed text;
BEGIN
  FOR page IN
    SELECT p.oid::regprocedure AS name, pg_catalog.pg_get_functiondef(p.oid) AS source
    FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
    WHERE n.nspname = 'triage' AND p.proname IN (
      'page_of_findings', 'page_of_findings_of_repo', 'page_of_prs', 'page_of_prs_of_repo', 'page_of_prs_of_status',
      'page_of_prs_of_repo_and_status')
  LOOP
    -- With the version so far as its first element, no array is empty.
    fixed := pg_catalog.regexp_replace(page.source, 'hash_array_extended\(\s+ARRAY\(', 'hash_array_extended(version || ARRAY(', 'g');
    fixed := pg_catalog.replace(fixed, 'hash_array_extended(ties, version)', 'hash_array_extended(version || ties, version)');
    IF fixed !~ 'version \|\| ties' OR (SELECT count(*) FROM pg_catalog.regexp_matches(fixed, 'version \|\| ARRAY', 'g')) <> 2 THEN
      RAISE EXCEPTION 'the function % is not the one that migration 0006 has made', page.name;
    END IF;
    EXECUTE fixed;
  END LOOP;
END $$;
