import * as E from '#fp-ts/Either';
import {
  hashCredentials,
  hashSecret,
  isApiTokenValid,
  isSessionValid,
  newApiToken,
  newId,
  newSession,
  sessionLifetime,
} from '../accounts/sessions-and-tokens.js';
import type { Clock } from '../common/clock.js';
import { TriageApiError } from '../common/messages.js';
import { timestampAt } from '../contract/codecs/timestamp.js';
import type { Fixture } from '../fixtures/read-fixtures.js';
import { tokenPrefix } from '../records/account-records.js';
import { fixtureAccount } from '../storage/memory/fixture-records.js';
import type { Storage } from '../storage/port.js';
import type { Tenant } from './controls.js';

/** The credentials of tenants. Those that fixtures lack are made; the same user always gets the same ones. */
export const credentialsOver = (storage: Storage, clock: Clock) => {
  /** What was made, by user id. */
  const sessions = new Map<string, ReturnType<typeof newSession>>();
  const tokens = new Map<string, Readonly<{ value: string; isSaved: boolean }>>();

  const sessionOf = (userId: string): ReturnType<typeof newSession> => {
    const session = sessions.get(userId) ?? newSession(userId, clock(), null);
    sessions.set(userId, session);
    return session;
  };
  const tokenOf = (userId: string): string => {
    const token = tokens.get(userId) ?? { value: newApiToken(), isSaved: false };
    tokens.set(userId, token);
    return token.value;
  };
  const saveSession = async (userId: string): Promise<string> => {
    const { value, record } = sessionOf(userId);
    const [createdAt, expiresAt] = [timestampAt(clock()), timestampAt(clock() + sessionLifetime)];
    orThrow(userId, await storage.startSession({ ...record, createdAt, expiresAt }, null)());
    return value;
  };
  const saveToken = async (userId: string): Promise<string> => {
    // One that was saved and does not work any more was revoked.
    if (tokens.get(userId)?.isSaved) tokens.delete(userId);
    const value = tokenOf(userId);
    tokens.set(userId, { value, isSaved: true });
    const added = storage.addApiToken({
      id: newId('tok'),
      userId,
      name: 'created for tests',
      prefix: tokenPrefix(value),
      hash: hashSecret(value),
      createdAt: timestampAt(clock()),
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
    });
    orThrow(userId, await added());
    return value;
  };

  /** The tenant of a fixture that is loaded now, with its first valid session and token: known at once. */
  const tenantOf = ({ name, dataset }: Fixture): Tenant => {
    const at = timestampAt(clock());
    const account = fixtureAccount(dataset, hashSecret, clock());
    const session = account.sessions.findIndex((each) => isSessionValid(each, at));
    const token = account.apiTokens.findIndex((each) => isApiTokenValid(each, at));
    const { id } = dataset.user;
    return {
      name,
      session: dataset.sessions[session]?.value ?? sessionOf(id).value,
      token: dataset.apiTokens[token]?.token ?? tokenOf(id),
    };
  };
  const works = async (sessionValue: string | null, bearerToken: string | null): Promise<boolean> => {
    const hashed = hashCredentials({ sessionValue, bearerToken }, timestampAt(clock()));
    return E.isRight(hashed) && E.isRight(await storage.caller(hashed.right)());
  };
  return {
    tenantOf,
    /** The same tenants with credentials that the storage accepts, which is told of those that were made. */
    save: async (fixtures: readonly Fixture[]): Promise<readonly Tenant[]> => {
      const tenants: Tenant[] = [];
      for (const fixture of fixtures) {
        const { name, session, token } = tenantOf(fixture);
        const { id } = fixture.dataset.user;
        // A session that was made begins anew.
        const keepsSession = session !== sessions.get(id)?.value && (await works(session, null));
        tenants.push({
          name,
          session: keepsSession ? session : await saveSession(id),
          token: (await works(null, token)) ? token : await saveToken(id),
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

const orThrow = (userId: string, saved: E.Either<Readonly<{ _tag: string }>, void>): void => {
  if (E.isLeft(saved))
    throw new TriageApiError([`${userId}: cannot create credentials (${saved.left._tag})`]);
};
