import { prepare, remove, startPostgres } from '../../storage/postgres/_postgres.js';
import type { Life } from './_life.js';
import { runProgram } from './_server-process.js';

let count = 0;

/** A database with the schema and the tenants of a directory, gone at the end. */
export const databaseWithFixtures = async (
  life: Life,
  directory: string,
): Promise<Readonly<{ url: string }>> => {
  const postgres = await startPostgres();
  life.teardown(postgres.stop);
  count += 1;
  const name = `triage_soak_${process.pid}_${count}`;
  life.teardown(() => remove(postgres, name));
  await prepare(postgres, name);
  const url = postgres.url(name);
  await runProgram('import', directory, '--database-url', url);
  return { url };
};
