import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { compareCodePoints } from '../../common/compare-code-points.js';

/** The folder of the schema's migrations, each a file of SQL. They stand beside the source: the compiler does not copy them. */
export const migrationsFolder = fileURLToPath(
  new URL('../../../../src/storage/postgres/migrations', import.meta.url),
);

/** The names of the migrations that make the schema of this version, in their order. */
export const migrationNames = async (): Promise<readonly string[]> =>
  (await readdir(migrationsFolder))
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
    .sort(compareCodePoints);
