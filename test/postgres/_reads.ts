import type { ExecutionContext } from 'ava';
import type { Storage } from '../../src/accounts/account-storage.js';
import type { PresentedCredentials, ReadResult, Version } from '../../src/api/storage-port.js';
import { openDatabase } from '../../src/postgres/database.js';
import { postgresStorage } from '../../src/postgres/storage.js';
import { bySession } from '../_storage.js';
import { elapsed, storageAt } from './_postgres.js';

/** Reads of the API by name. */
export type Reads = Readonly<Record<string, (storage: Storage, known?: Version) => ReadResult<unknown>>>;

/** The first page of every row. */
export const everything = { repoId: undefined, status: undefined, offset: 0, limit: 100 };

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

/** What a storage answers to reads, one after the other. */
export const answersOf = async (
  storage: Storage,
  reads: Reads,
): Promise<Readonly<Record<string, unknown>>> => {
  const answers: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(reads)) answers[name] = await read(storage);
  return answers;
};

const methods = [
  ...['seqscan', 'indexscan', 'indexonlyscan', 'bitmapscan', 'tidscan', 'nestloop', 'hashjoin', 'mergejoin'],
  ...['material', 'memoize', 'sort', 'incremental_sort', 'hashagg'],
].map((name) => `enable_${name}`);

/** How often each read is sent: from the sixth time, PostgreSQL may keep a plan that fits all values. */
const timesOf = (off: string | null) =>
  off === null ? { auto: 7 } : { force_generic_plan: 1, force_custom_plan: 1 };

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
  t.like(expected[0], {
    findings: { right: { rows: { total: 5 } } },
    'no finding': { right: { rows: null } },
  });
  for (const off of [null, ...methods]) {
    for (const [mode, times] of Object.entries(timesOf(off))) {
      const values = [
        ...methods.map((name) => [name, name === off ? 'off' : 'on']),
        ['plan_cache_mode', mode],
      ];
      const settings = values.map(([name, value]) => `set_config('${name}', '${value}', false)`);
      const database = openDatabase({ url, poolSize: 1, timeLimit: 60_000, elapsed }, () => {});
      t.is((await database.query({ text: `SELECT ${settings.join(', ')}`, values: [] }))._tag, 'Right');
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
