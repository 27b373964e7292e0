import type { ExecutionContext } from 'ava';
import { openDatabase } from '../../../src/storage/postgres/database.js';
import { postgresStorage } from '../../../src/storage/postgres/storage.js';
import { bySession } from '../../_storage.js';
import { storageAt } from './_opened.js';
import { answersOf, readsBy } from './_reads.js';

const methods = [
  ...['seqscan', 'indexscan', 'indexonlyscan', 'bitmapscan', 'tidscan', 'nestloop', 'hashjoin', 'mergejoin'],
  ...['material', 'memoize', 'sort', 'incremental_sort', 'hashagg'],
].map((name) => `enable_${name}`);

/** How often each read is sent: from the sixth time, PostgreSQL may keep a plan that fits all values. */
const modes = { auto: 10, force_generic_plan: 2, force_custom_plan: 2 };

/**
 * Reads everything of two tenants in turns, with each method of the planner switched off, and compares the
 * answers with those that the owner gets, to whom row-level security does not apply. The database has the
 * tenants of the conformance suite.
 */
export const answersWhateverThePlan = async (
  t: ExecutionContext,
  owner: string,
  url: string,
): Promise<void> => {
  const tenants = ['acme-cookie', 'other-cookie'].map((session) => readsBy(bySession(session)));
  const expected = await Promise.all(tenants.map((reads) => answersOf(storageAt(t, owner), reads)));
  t.like(expected[0], { findings: { right: { total: 5 } }, 'no finding': { right: null } });
  for (const off of [null, ...methods]) {
    for (const [mode, times] of Object.entries(modes)) {
      const values = [
        ...methods.map((name) => [name, name === off ? 'off' : 'on']),
        ['plan_cache_mode', mode],
      ];
      const settings = values.map(([name, value]) => `set_config('${name}', '${value}', false)`);
      const database = openDatabase({ url, poolSize: 1, timeLimit: 60_000 }, () => {});
      t.is((await database.query({ text: `SELECT ${settings.join(', ')}`, values: [] })())._tag, 'Right');
      for (let i = 0; i < times; i += 1) {
        for (const [tenant, reads] of tenants.entries()) {
          // A storage of its own knows no answers; the connection keeps its prepared statements.
          const storage = postgresStorage({ database }, () => {});
          t.deepEqual(await answersOf(storage, reads), expected[tenant], `${mode}, without ${off}, ${i}`);
        }
      }
      await database.close();
    }
  }
};
