import * as E from '#fp-ts/Either';
import type { Storage } from '../accounts/account-storage.js';
import { areAccepted, newApiToken, newApiTokenRecord, newSession } from '../accounts/sessions-and-tokens.js';
import { isApiTokenValid, isSessionValid, sessionLifetime } from '../api/credentials.js';
import type { Clock } from '../common/clock.js';
import { TriageApiError } from '../common/messages.js';
import { timestampAt } from '../contract/codecs/timestamp.js';
import { fixtureAccount } from '../fixtures/fixture-records.js';
import type { Fixture } from '../fixtures/read-fixtures.js';
import type { Tenant } from './test-controls.js';

/** The credentials of tenants. Those that fixtures lack are made; the same user always gets the same ones. */
export const credentialsOver = (storage: Storage, clock: Clock) => {
  /** What was made, by user id. */
  const sessions = new Map<string, ReturnType<typeof newSession>>();
  const tokens = new Map<string, string>();
  const savedTokens = new Set<string>();

  const sessionOf = (userId: string) => kept(sessions, userId, () => newSession(userId, clock(), null));
  const tokenOf = (userId: string) => kept(tokens, userId, newApiToken);
  /** A session that was made begins anew. */
  const saveSession = async (userId: string): Promise<string> => {
    const { value, record } = sessionOf(userId);
    const [createdAt, expiresAt] = [timestampAt(clock()), timestampAt(clock() + sessionLifetime)];
    orThrow(userId, await storage.startSession({ ...record, createdAt, expiresAt }, null));
    return value;
  };
  const saveToken = async (userId: string): Promise<string> => {
    // One that was saved and does not work any more was revoked.
    if (savedTokens.has(tokenOf(userId))) tokens.delete(userId);
    const token = tokenOf(userId);
    savedTokens.add(token);
    const record = newApiTokenRecord(token, userId, 'created for tests', clock(), null);
    orThrow(userId, await storage.addApiToken(record));
    return token;
  };

  /** The tenant of a fixture that is loaded now, with its first valid session and token: known at once. */
  const tenantOf = ({ name, dataset }: Fixture): Tenant => {
    const at = timestampAt(clock());
    const account = fixtureAccount(dataset, clock());
    const session = account.sessions.findIndex((each) => isSessionValid(each, at));
    const token = account.apiTokens.findIndex((each) => isApiTokenValid(each, at));
    const { id } = dataset.user;
    return {
      name,
      session: dataset.sessions[session]?.value ?? sessionOf(id).value,
      token: dataset.apiTokens[token]?.token ?? tokenOf(id),
    };
  };
  const works = areAccepted({ storage, clock });
  return {
    tenantOf,
    /** The same tenants with credentials that the storage accepts, which is told of those that were made. */
    save: async (fixtures: readonly Fixture[]): Promise<readonly Tenant[]> => {
      const tenants: Tenant[] = [];
      for (const fixture of fixtures) {
        const { name, session, token } = tenantOf(fixture);
        const { id } = fixture.dataset.user;
        const keepsSession = session !== sessions.get(id)?.value && (await works({ sessionValue: session }));
        tenants.push({
          name,
          session: keepsSession ? session : await saveSession(id),
          token: (await works({ bearerToken: token })) ? token : await saveToken(id),
        });
      }
      return tenants;
    },
    /** Lets all sessions that were made last seven days from now. */
    renewSessions: async (): Promise<void> => {
      for (const userId of sessions.keys()) await saveSession(userId);
    },
  };
};

/** The value under a key, made when it is first asked for. */
const kept = <A>(values: Map<string, A>, key: string, make: () => A): A => {
  const value = values.get(key) ?? make();
  values.set(key, value);
  return value;
};

const orThrow = (userId: string, saved: E.Either<Readonly<{ _tag: string }>, void>): void => {
  if (E.isLeft(saved))
    throw new TriageApiError([`${userId}: cannot create credentials (${saved.left._tag})`]);
};
