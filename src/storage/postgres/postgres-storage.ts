import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import type { Log } from '../../common/log.js';
import type { SecretHash } from '../../records/secret-hash.js';
import type { PresentedCredentials, Storage } from '../port.js';
import { canary } from './canary.js';
import type { CitusAccess } from './citus/citus-access.js';
import { citusReady } from './citus/citus-ready.js';
import type { Database } from './database.js';
import { postgresAccountStorage, type SignUpLimit } from './postgres-account-storage.js';
import { postgresTriageStorage, type WatchCache } from './postgres-triage-storage.js';

type Databases = Readonly<{
  database: Database;
  /**
   * A connection to it that asks whether it can serve, and need not wait for requests; left out: one of those
   * that serve requests.
   */
  probe?: Pick<Database, 'query'>;
  /** What is known of the engine; left out for a database that is not distributed. */
  citus?: CitusAccess;
}>;

/** A storage over a PostgreSQL database with the schema of `migrations/`. */
export const postgresStorage = (
  { database, probe = database, citus }: Databases,
  log: Log,
  { maxSignUps }: SignUpLimit = { maxSignUps: null },
  watchCache: WatchCache = () => {},
): Storage => ({
  ...postgresAccountStorage({ database, log, maxSignUps, citus }),
  ...postgresTriageStorage({
    database,
    recordTokenUse: tokenUseRecorder(database, log),
    watchCache,
    citus,
  }),
  ready: () => {
    const onOneServer = (): ReturnType<Storage['ready']> => canary(probe);
    return citus === undefined
      ? onOneServer()
      : citus.byEngine(onOneServer, () => citusReady(probe, citus.worker));
  },
});

/** Records token uses in the background. While one use of a token is being written, others are skipped. */
const tokenUseRecorder = (database: Database, log: Log): ((credentials: PresentedCredentials) => void) => {
  const writing = new Set<SecretHash>();
  return ({ apiToken, at }) => {
    if (apiToken === null || writing.has(apiToken)) return;
    writing.add(apiToken);
    void pipe(
      database.query({ text: 'SELECT triage.note_api_token_use($1, $2)', values: [apiToken, at] }),
      TE.match(
        ({ cause }) => log('debug', 'the use of an API token was not recorded', { cause: String(cause) }),
        () => {},
      ),
    )().then(() => writing.delete(apiToken));
  };
};
