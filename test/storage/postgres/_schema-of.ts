import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import { migrationNames, migrationsFolder } from '../../../src/storage/postgres/schema-state.js';

/**
 * Gives a database the schema of an earlier version, up to the migration whose name begins so, and returns
 * the names of the migrations that are missing then.
 */
export const schemaUpTo = async (client: pg.Client, last: string): Promise<readonly string[]> => {
  const names = await migrationNames();
  const count = names.findIndex((name) => name.startsWith(last)) + 1;
  await client.query(`
    CREATE SCHEMA triage;
    CREATE TABLE triage.migrations (id serial PRIMARY KEY, name varchar(255) NOT NULL, run_on timestamp NOT NULL)`);
  for (const name of names.slice(0, count)) {
    await client.query(await readFile(`${migrationsFolder}/${name}.sql`, 'utf8'));
    await client.query('INSERT INTO triage.migrations (name, run_on) VALUES ($1, now())', [name]);
  }
  return names.slice(count);
};
