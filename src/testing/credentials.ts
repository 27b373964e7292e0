import * as E from '#fp-ts/Either';
import { isApiTokenValid, isSessionValid } from '../accounts/credential-validity.js';
import { hashCredentials, hashSecret, newApiToken, newId } from '../accounts/secrets.js';
import { newSession, sessionLifetime } from '../accounts/session.js';
import { timestampAt } from '../codecs/timestamp.js';
import type { Clock } from '../common/clock.js';
import { tokenPrefix } from '../records/api-token.js';
import { fixtureAccount } from '../storage/fixtures/fixture-records.js';
import type { Fixture } from '../storage/fixtures/read-fixtures.js';
import type { Storage } from '../storage/port.js';
import type { Tenant } from './controls.js';

/** The credentials of tenants. Those that fixtures lack are made; the same user always gets the same ones. */
export type Credentials = Readonly<{
  /**
   * The tenant of a fixture that is loaded now, with its first valid session and token. It is known at once,
   * so that handlers can be made without waiting.
   */
  tenantOf: (fixture: Fixture) => Tenant;
  /**
   * The same tenants with credentials that the storage accepts, which is told of those that were made.
   * `left`: which tenant got none, and why.
   */
  save: (fixtures: readonly Fixture[]) => Promise<E.Either<readonly string[], readonly Tenant[]>>;
  /** Lets all sessions that were made last seven days from now. `left`: why not. */
  renewSessions: () => Promise<E.Either<Readonly<{ _tag: string }>, void>>;
}>;

export const credentialsOver = (storage: Storage, clock: Clock): Credentials => {
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
  const saveSession = async (userId: string) => {
    const { value, record } = sessionOf(userId);
    const [createdAt, expiresAt] = [timestampAt(clock()), timestampAt(clock() + sessionLifetime)];
    return E.map(() => value)(await storage.startSession({ ...record, createdAt, expiresAt }, null)());
  };
  const saveToken = async (userId: string) => {
    // One that was saved and does not work any more was revoked.
    if (tokens.get(userId)?.isSaved) tokens.delete(userId);
    const value = tokenOf(userId);
    tokens.set(userId, { value, isSaved: true });
    const saved = await storage.addApiToken({
      id: newId('tok'),
      userId,
      name: 'created for tests',
      prefix: tokenPrefix(value),
      hash: hashSecret(value),
      createdAt: timestampAt(clock()),
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
    })();
    return E.map(() => value)(saved);
  };

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
    save: async (fixtures) => {
      const tenants: Tenant[] = [];
      const problems: string[] = [];
      for (const fixture of fixtures) {
        const known = tenantOf(fixture);
        const { id } = fixture.dataset.user;
        // A session that was made begins anew.
        const keeps = known.session !== sessions.get(id)?.value && (await works(known.session, null));
        const session = keeps ? E.right(known.session) : await saveSession(id);
        const token = (await works(null, known.token)) ? E.right(known.token) : await saveToken(id);
        const failed = E.isLeft(session) ? session : token;
        if (E.isRight(session) && E.isRight(token))
          tenants.push({ name: known.name, session: session.right, token: token.right });
        else if (E.isLeft(failed))
          problems.push(`${known.name}: cannot create credentials (${failed.left._tag})`);
      }
      return problems.length > 0 ? E.left(problems) : E.right(tenants);
    },
    renewSessions: async () => {
      for (const userId of sessions.keys()) {
        const saved = await saveSession(userId);
        if (E.isLeft(saved)) return saved;
      }
      return E.right(undefined);
    },
  };
};
