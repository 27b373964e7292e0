-- What `triage-api db migrate` takes from everybody, because no role needs it in this database: a restored dump gives it back. Only a
-- superuser can take large objects from PUBLIC, so nobody else is told of them.
DO $$
DECLARE
  closing text;
BEGIN
  SELECT format('REVOKE CREATE, TEMPORARY ON DATABASE %I FROM PUBLIC', datname) INTO closing FROM pg_database
  WHERE datname = current_database()
    AND (has_database_privilege('public', oid, 'CREATE') OR has_database_privilege('public', oid, 'TEMPORARY'));
  IF closing IS NOT NULL AND (SELECT pg_has_role(datdba, 'USAGE') FROM pg_database WHERE datname = current_database()) THEN
    EXECUTE closing;
    RAISE NOTICE 'took the right to create temporary tables and schemas in this database from PUBLIC' USING ERRCODE = 'TRIAG';
  ELSIF closing IS NOT NULL THEN
    RAISE WARNING 'every role can create temporary tables and schemas in this database; its owner can forbid it: %', closing
      USING ERRCODE = 'TRIAG';
  END IF;
  IF has_function_privilege('public', 'lo_create(oid)', 'EXECUTE')
    AND (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
    REVOKE EXECUTE ON FUNCTION lo_creat, lo_create, lo_from_bytea FROM PUBLIC;
    RAISE NOTICE 'took the right to create large objects in this database from PUBLIC' USING ERRCODE = 'TRIAG';
  END IF;
END $$;
