import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { migrationNames, migrationsFolder } from '../../../src/storage/postgres/schema.js';

/** Migrations that a later version could add: SQL by name. */
export type Later = Readonly<Record<string, string>>;

/** A column that a later version could add. */
export const aColumn: Later = { '0002_note': 'ALTER TABLE triage.repos ADD COLUMN note triage.free_text;' };

/** A folder with the migrations of this version and later ones. */
export const folderWith = async (t: ExecutionContext, later: Later): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'triage-api-migrations-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  for (const name of await migrationNames())
    await copyFile(join(migrationsFolder, `${name}.sql`), join(folder, `${name}.sql`));
  for (const [name, sql] of Object.entries(later)) await writeFile(join(folder, `${name}.sql`), sql);
  return folder;
};
