import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { findProgram } from '../_find-program.js';
import { type Server, startEmbedded } from '../postgres/_embedded.js';

/** The folder of the programs of a PostgreSQL that is installed on this machine, with its server, or null. */
export const findPostgres = (): string | null => {
  const given = process.env.POSTGRES_BIN;
  const folders = given
    ? [given]
    : [18, 17, 16, 15].flatMap((version) => [
        `/usr/lib/postgresql/${version}/bin`,
        `/usr/pgsql-${version}/bin`,
        `/opt/homebrew/opt/postgresql@${version}/bin`,
        `/usr/local/opt/postgresql@${version}/bin`,
      ]);
  const complete = folders.filter((folder) =>
    ['initdb', 'pg_ctl', 'postgres', 'pg_dump', 'pg_restore', 'pg_basebackup'].every(
      (name) => findProgram([join(folder, name)]) !== null,
    ),
  );
  return complete[0] ?? null;
};

/** The path of one of its programs. */
export const installed = (name: string): string => {
  const folder = findPostgres();
  if (folder === null) throw new Error('no PostgreSQL with pg_dump found: set POSTGRES_BIN');
  return join(folder, name);
};

/** A server of its own for a test: roles have the names of the documentation there. */
export const startInstalled = async (t: ExecutionContext): Promise<Server> => {
  const server = await startEmbedded({
    initdb: installed('initdb'),
    pg_ctl: installed('pg_ctl'),
    postgres: installed('postgres'),
  });
  t.teardown(server.stop);
  return server;
};
