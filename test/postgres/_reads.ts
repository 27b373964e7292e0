import type { ExecutionContext } from 'ava';
import type { Storage } from '../../src/accounts/account-storage.js';
import type { PresentedCredentials, ReadResult, Version } from '../../src/api/storage-port.js';
import { openDatabase } from '../../src/postgres/database.js';
import { postgresStorage } from '../../src/postgres/storage.js';
import { bySession } from '../_storage.js';
import { elapsed, storageAt } from './_postgres.js';

/** Reads of the API by name. */
type Reads = Readonly<Record<string, (storage: Storage, known?: Version) => ReadResult<unknown>>>;

/** The first page of every row. */
const everything = { repoId: undefined, status: undefined, offset: 0, limit: 100 };

/** Every statement that reads, on every kind of page, for the tenant `acme` of the conformance suite. */
export const readsBy = (by: PresentedCredentials): Reads => {
  const findings =
    (over: Partial<typeof everything> = {}): Reads[string] =>
    (storage, known) =>
      storage.findings(by, { ...everything, ...over }, known);
  const prs =
    (over: Partial<Parameters<Storage['prs']>[1]> = {}): Reads[string] =>
    (storage, known) =>
      storage.prs(by, { ...everything, ...over }, known);
  return {
    repos: (storage, known) => storage.repos(by, known),
    findings: findings(),
    // It can stay the same row while the total changes.
    'first finding': findings({ limit: 1 }),
    'findings, second page': findings({ offset: 2, limit: 2 }),
    'findings beyond the last': findings({ offset: 900 }),
    'findings of a repo': (storage, known) => storage.findings(by, { ...everything, repoId: 'api' }, known),
    finding: (storage, known) => storage.finding(by, 'd1', known),
    'no finding': (storage, known) => storage.finding(by, 'nope', known),
    prs: prs(),
    'second page of prs': prs({ offset: 2, limit: 2 }),
    'open prs': prs({ status: 'open' }),
    'prs of a repo': prs({ repoId: 'api' }),
    'open prs of a repo': prs({ repoId: 'web', status: 'open', limit: 1 }),
  };
};

const methods = [
  ...['seqscan', 'indexscan', 'indexonlyscan', 'bitmapscan', 'tidscan', 'nestloop', 'hashjoin', 'mergejoin'],
  ...['material', 'memoize', 'sort', 'incremental_sort', 'hashagg'],
].map((name) => `enable_${name}`);

/** What a storage answers to the reads of two tenants. */
const answersOf = async (storage: Storage): Promise<readonly unknown[]> => {
  const answers: unknown[] = [];
  for (const session of ['acme-cookie', 'other-cookie'])
    for (const [name, read] of Object.entries(readsBy(bySession(session))))
      answers.push({ session, name, answer: await read(storage) });
  return answers;
};

/**
 * Reads everything of two tenants in turns, with each method of the planner switched off, and compares the
 * answers with those that the owner gets, to whom row-level security does not apply. The database has the
 * tenants of the conformance suite.
 */
export const answersWhateverThePlan = async (t: ExecutionContext, owner: string, url: string) => {
  const expected = await answersOf(storageAt(t, owner));
  for (const off of [null, ...methods])
    for (const mode of off === null ? ['auto'] : ['force_generic_plan', 'force_custom_plan']) {
      const values = methods.map((name) => [name, name === off ? 'off' : 'on']);
      const settings = [...values, ['plan_cache_mode', mode]].map(
        ([name, value]) => `set_config('${name}', '${value}', false)`,
      );
      const database = openDatabase({ url, poolSize: 1, timeLimit: 60_000, elapsed }, () => {});
      t.is((await database.query({ text: `SELECT ${settings.join(', ')}`, values: [] }))._tag, 'Right');
      // From the sixth time, PostgreSQL may keep a plan that fits all values.
      for (let i = 0; i < (mode === 'auto' ? 7 : 1); i += 1)
        // A storage of its own knows no answers; the connection keeps its prepared statements.
        t.deepEqual(
          await answersOf(postgresStorage({ database }, () => {})),
          expected,
          `${mode}, without ${off}, ${i}`,
        );
      await database.close();
    }
};
