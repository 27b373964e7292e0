import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { mintApiToken } from '../accounts/api-tokens.js';
import { nonePublished } from '../accounts/published-accounts.js';
import { hashCredentials } from '../accounts/secrets.js';
import { newSession, sessionLifetime } from '../accounts/session.js';
import { timestampAt } from '../codecs/timestamp.js';
import type { Clock } from '../common/clock.js';
import type { Storage } from '../storage/port.js';

type Dependencies = Readonly<{ storage: Storage; clock: Clock }>;

/** Credentials that are made for users who have none. The same user always gets the same ones. */
export type MadeCredentials = Readonly<{
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

  const session: MadeCredentials['session'] = (userId) => {
    const now = clock();
    const { value, record } = sessions.get(userId) ?? newSession(userId, now, null);
    sessions.set(userId, { value, record });
    const [createdAt, expiresAt] = [timestampAt(now), timestampAt(now + sessionLifetime)];
    return pipe(
      storage.startSession({ ...record, createdAt, expiresAt }, null),
      TE.map(() => value),
    );
  };

  const works = async (bearerToken: string): Promise<boolean> => {
    const hashed = hashCredentials({ sessionValue: null, bearerToken }, timestampAt(clock()));
    return E.isRight(hashed) && E.isRight(await storage.caller(hashed.right)());
  };

  const mint = (userId: string): TE.TaskEither<MakingFailed, string> =>
    pipe(
      mintApiToken({ storage, clock, ...nonePublished })(
        { userId },
        { name: 'created for tests' },
        { report: () => {} },
      ),
      TE.map(({ token }) => {
        tokens.set(userId, token);
        return token;
      }),
    );

  return {
    session,
    token: (userId) => async () => {
      const known = tokens.get(userId);
      return known !== undefined && (await works(known)) ? E.right(known) : mint(userId)();
    },
    renewSessions: pipe(
      TE.rightIO(() => Array.from(sessions.keys())),
      TE.flatMap(TE.traverseSeqArray(session)),
      TE.map(() => undefined),
    ),
  };
};
