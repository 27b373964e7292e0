-- Runs once, as the superuser, when the database is new: the roles that log in. Their passwords are those in the URLs.
\set migrate_password `sed 's|^.*://[^:]*:\([^@]*\)@.*$|\1|' /run/secrets/migrate_url`
\set app_password `sed 's|^.*://[^:]*:\([^@]*\)@.*$|\1|' /run/secrets/app_url`

-- Applies migrations and imports. It owns the database, and creates the roles of `db migrate --roles`.
CREATE ROLE triage_migrate LOGIN CREATEROLE PASSWORD :'migrate_password';
ALTER DATABASE triage OWNER TO triage_migrate;

-- Serves. Its rights are those of triage_serve, to which `db migrate --roles` grants what the server does.
CREATE ROLE triage_serve NOLOGIN;
CREATE ROLE triage_app LOGIN PASSWORD :'app_password' CONNECTION LIMIT 100 IN ROLE triage_serve;
ALTER ROLE triage_app SET statement_timeout = '1500ms';
