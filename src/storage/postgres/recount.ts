import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { listOf } from '../../codecs/list.js';
import type { StorageError } from '../port.js';
import { type Engine, engineOf } from './citus/engine.js';
import { callTenant, tenantStatement } from './citus/tenant-statements.js';
import type { Database } from './database.js';
import { decodeResult } from './decode-result.js';

const WrongCount = t.strict(
  {
    counted: t.string,
    list: t.string,
    repo_id: t.string,
    status: t.string,
    told: t.string,
    there: t.string,
  },
  'wrong count',
);

/**
 * A count that is not what there is: `told` instead of `there`. `repo_id` and `status` are empty for the list
 * of all.
 */
export type WrongCount = t.TypeOf<typeof WrongCount>;

/** What is wrong with the counts of a tenant. */
export type TenantCounts = Readonly<{ tenant: string; wrong: readonly WrongCount[] }>;

type Options = Readonly<{
  /** Counts anew; else wrong counts are only reported. */
  correct: boolean;
  /** Called after each tenant. */
  onTenant: (counts: TenantCounts, done: number, total: number) => void;
  /** Asked before each tenant. */
  shouldStop: () => boolean;
}>;

const Tenants = listOf(t.strict({ id: t.string }, 'tenant'));

/**
 * Compares the counts of every tenant with its rows, and counts them anew. Each tenant is a transaction of
 * its own; nobody who reads or writes waits.
 */
export const recount =
  (
    database: Pick<Database, 'query'>,
    { correct, onTenant, shouldStop }: Options,
  ): TE.TaskEither<StorageError, void> =>
  async () => {
    const engine = await engineOf(database)();
    if (E.isLeft(engine)) return engine;
    const tenants = await pipe(
      database.query({ text: 'SELECT id FROM triage.users ORDER BY id', values: [] }),
      TE.flatMapEither(decodeResult(Tenants, 'tenants')),
    )();
    if (E.isLeft(tenants)) return tenants;
    for (const [index, { id }] of tenants.right.entries()) {
      if (shouldStop()) break;
      const wrong = await wrongCounts[engine.right](database, id)();
      if (E.isLeft(wrong)) return wrong;
      // Right counts do not show that a name was changed unnoticed; counting anew renews kept answers, too.
      if (correct) {
        const corrected = await database.query({ text: recountTexts[engine.right], values: [id] })();
        if (E.isLeft(corrected)) return corrected;
      }
      onTenant({ tenant: id, wrong: wrong.right }, index + 1, tenants.right.length);
    }
    return E.right(undefined);
  };

/** On Citus, the tenant's worker counts. */
const recountTexts: Readonly<Record<Engine, string>> = {
  single: 'SELECT triage.recount($1)',
  citus: 'SELECT triage.tenant_recount($1)',
};

type WrongCountsOf = (
  database: Pick<Database, 'query'>,
  tenant: string,
) => TE.TaskEither<StorageError, readonly WrongCount[]>;

const wrongCounts: Readonly<Record<Engine, WrongCountsOf>> = {
  single: (database, tenant) =>
    pipe(
      database.query({
        text: 'SELECT counted, list, repo_id, status, told, there FROM triage.wrong_counts($1)',
        values: [tenant],
      }),
      TE.flatMapEither(decodeResult(listOf(WrongCount), 'wrong_counts')),
    ),
  citus: (database, tenant) =>
    callTenant(database, listOf(WrongCount), tenantStatement('tenant_wrong_counts', tenant)),
};
