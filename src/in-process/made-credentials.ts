import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { hashCredentials, hashSecret, newApiToken, newId } from '../accounts/secrets.js';
import { newSession, sessionLifetime } from '../accounts/session.js';
import { timestampAt } from '../codecs/timestamp.js';
import type { Clock } from '../common/clock.js';
import { tokenPrefix } from '../records/api-token.js';
import type { Storage } from '../storage/port.js';

type Dependencies = Readonly<{ storage: Storage; clock: Clock }>;

/** A secret that is known at once, and what makes the storage accept it. */
export type Prepared = Readonly<{ value: string; save: TE.TaskEither<MakingFailed, void> }>;

/** Credentials that are made for users who have none. The same user always gets the same ones. */
export type MadeCredentials = Readonly<{
  /** A session that lasts seven days from when it is saved. */
  prepareSession: (userId: string) => Prepared;
  /** A token that never expires. */
  prepareToken: (userId: string) => Prepared;
  /** The value of a session that lasts seven days from now. */
  session: (userId: string) => TE.TaskEither<MakingFailed, string>;
  /** A token that never expires; another one if the one before was revoked. */
  token: (userId: string) => TE.TaskEither<MakingFailed, string>;
  /** Lets all sessions that were made last seven days from now. */
  renewSessions: TE.TaskEither<MakingFailed, void>;
}>;

/** Why no credentials could be made. */
export type MakingFailed = Readonly<{ _tag: string }>;

export const madeCredentials = ({ storage, clock }: Dependencies): MadeCredentials => {
  const sessions = new Map<string, ReturnType<typeof newSession>>();
  const tokens = new Map<string, string>();

  const prepareSession = (userId: string): Prepared => {
    const { value, record } = sessions.get(userId) ?? newSession(userId, clock(), null);
    sessions.set(userId, { value, record });
    const save: Prepared['save'] = () => {
      const now = clock();
      const [createdAt, expiresAt] = [timestampAt(now), timestampAt(now + sessionLifetime)];
      return storage.startSession({ ...record, createdAt, expiresAt }, null)();
    };
    return { value, save };
  };

  const newToken = (userId: string): Prepared => {
    const token = newApiToken();
    tokens.set(userId, token);
    const record = {
      id: newId('tok'),
      userId,
      name: 'created for tests',
      prefix: tokenPrefix(token),
      hash: hashSecret(token),
      createdAt: timestampAt(clock()),
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
    };
    return { value: token, save: storage.addApiToken(record) };
  };

  const works = async (bearerToken: string): Promise<boolean> => {
    const hashed = hashCredentials({ sessionValue: null, bearerToken }, timestampAt(clock()));
    return E.isRight(hashed) && E.isRight(await storage.caller(hashed.right)());
  };

  return {
    prepareSession,
    prepareToken: (userId) => {
      const known = tokens.get(userId);
      return known === undefined ? newToken(userId) : { value: known, save: TE.right(undefined) };
    },
    session: (userId) => saved(prepareSession(userId)),
    token: (userId) => async () => {
      const known = tokens.get(userId);
      return known !== undefined && (await works(known)) ? E.right(known) : saved(newToken(userId))();
    },
    renewSessions: pipe(
      TE.rightIO(() => Array.from(sessions.keys())),
      TE.flatMap(TE.traverseSeqArray((userId) => prepareSession(userId).save)),
      TE.map(() => undefined),
    ),
  };
};

/** Saves a secret and returns it. */
const saved = ({ value, save }: Prepared): TE.TaskEither<MakingFailed, string> =>
  pipe(
    save,
    TE.map(() => value),
  );
