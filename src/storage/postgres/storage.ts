import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import type { Log } from '../../common/log.js';
import type { SecretHash } from '../../records/secret-hash.js';
import type { PresentedCredentials, Storage } from '../port.js';
import { postgresAccounts, type SignUpLimit } from './accounts.js';
import { type CitusAccess, citusReady, readOnWorker } from './citus.js';
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
  const send: Send = (credentials, known, query, group) =>
    database.query({ ...readByCredentials(credentials, known, query), group });
  const ready: Storage['ready'] = () => canServe(probe);
  return {
    ...postgresAccounts({ database, connectionFor: citus?.connectionFor ?? (() => database), limit, log }),
    ...postgresReads({
      send:
        citus === undefined
          ? send
          : (...query) =>
              citus.choose(
                () => send(...query),
                () => readOnWorker(citus)(...query),
              ),
      recordTokenUse: tokenUseRecorder(database, log),
      watchCache,
    }),
    ready: citus === undefined ? ready : () => citus.choose(ready, () => citusReady(probe, citus)),
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
