import * as t from 'io-ts';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import type { Log } from '../../common/log.js';
import type { SecretHash } from '../../records/secret-hash.js';
import type { PresentedCredentials, Storage } from '../port.js';
import {
  call,
  createAccount,
  postgresAccounts,
  type RowsOfAccounts,
  rowsAtOnce,
  type SignUpLimit,
} from './accounts.js';
import { type CitusAccess, citusReady, citusRows, readOnWorker } from './citus.js';
import type { Asked, Database } from './database.js';
import { readByCredentials } from './queries.js';
import { postgresReads, type Send, type WatchCache } from './reads.js';
import { canServe } from './schema.js';
import { storedTime } from './stored-records.js';

type Databases = Readonly<{
  database: Database;
  /**
   * A connection to it that asks whether it can serve, and need not wait for requests; left out: one of those
   * that serve requests.
   */
  probe?: Asked;
  /** What is known of the workers of Citus; left out for a database that is not distributed. */
  citus?: CitusAccess;
}>;

/** A storage over a PostgreSQL database with the schema of `migrations/`. */
export const postgresStorage = (
  { database, probe = database, citus }: Databases,
  log: Log,
  limit: SignUpLimit = { maxSignUps: null },
  watchCache: WatchCache = () => {},
): Storage => {
  const send: Send = (credentials, known, query) =>
    database.query(readByCredentials(credentials, known, query));
  const rows: RowsOfAccounts = {
    create: (account, ended) => createAccount(database, account, ended, limit),
    deleteRows: (userId) => call(database, t.number, 'delete_rows_of_deleted', userId, rowsAtOnce),
  };
  const ready: Storage['ready'] = () => canServe(probe);
  const recordTokenUse = tokenUseRecorder(database, log);
  if (citus === undefined)
    return {
      ...postgresAccounts({ database, rows, log }),
      ...postgresReads({ send, recordTokenUse, watchCache }),
      ready,
    };
  const onCitus = citusRows(citus, limit);
  return {
    ...postgresAccounts({
      database,
      log,
      rows: {
        create: (account, ended) =>
          citus.choose(
            () => rows.create(account, ended),
            () => onCitus.create(account, ended),
          ),
        deleteRows: (userId) =>
          citus.choose(
            () => rows.deleteRows(userId),
            () => onCitus.deleteRows(userId),
          ),
      },
    }),
    ...postgresReads({
      send: (credentials, known, query) =>
        citus.choose(
          () => send(credentials, known, query),
          () => readOnWorker(citus, credentials, known, query),
        ),
      recordTokenUse,
      watchCache,
    }),
    ready: () => citus.choose(ready, () => citusReady(probe, citus)),
  };
};

/** Records token uses in the background. While one use of a token is being written, others are skipped. */
const tokenUseRecorder = (database: Database, log: Log): ((credentials: PresentedCredentials) => void) => {
  const writing = new Set<SecretHash>();
  return ({ apiToken, at }) => {
    if (apiToken === null || writing.has(apiToken)) return;
    writing.add(apiToken);
    void pipe(
      database.query({ text: 'SELECT triage.record_token_use($1, $2)', values: [apiToken, storedTime(at)] }),
      TE.match(
        ({ cause }) => log('debug', 'the use of an API token was not recorded', { cause: String(cause) }),
        () => {},
      ),
    )().then(() => writing.delete(apiToken));
  };
};
