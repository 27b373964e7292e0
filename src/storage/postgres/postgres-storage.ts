import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { Log } from '../../common/log.js';
import type { SecretHash } from '../../records/secret-hash.js';
import type { PresentedCredentials, Storage } from '../port.js';
import type { Database } from './database.js';
import { postgresAccounts } from './postgres-accounts.js';
import { postgresReading } from './postgres-reading.js';

type Databases = Readonly<{
  primary: Database;
  /** A copy that the API reads from; null: there is none. */
  replica: Database | null;
}>;

/** A storage over a PostgreSQL database whose schema is that of `migrations/`. */
export const postgresStorage = ({ primary, replica }: Databases, log: Log): Storage => ({
  ...postgresAccounts(primary),
  ...postgresReading({ primary, replica, noteUse: noteUses(primary, log) }),
  ready: () =>
    pipe(
      [primary, ...(replica === null ? [] : [replica])],
      // Not only that somebody answers: that what is needed is there.
      TE.traverseArray((database) =>
        database.ask({ text: 'SELECT FROM triage.migrations LIMIT 1', values: [] }),
      ),
      TE.map(() => undefined),
    ),
});

/** Notes uses of tokens while answers are on their way. One note a token is under way at a time: the others would say the same. */
const noteUses = (primary: Database, log: Log): ((credentials: PresentedCredentials) => void) => {
  const underWay = new Set<SecretHash>();
  return ({ apiToken, at }) => {
    if (apiToken === null || underWay.has(apiToken)) return;
    underWay.add(apiToken);
    void pipe(
      primary.ask({ text: 'SELECT triage.note_api_token_use($1, $2)', values: [apiToken, at] }),
      TE.match(
        ({ cause }) => log('debug', 'a use of an API token was not noted', { cause: String(cause) }),
        () => {},
      ),
    )().then(() => underWay.delete(apiToken));
  };
};
