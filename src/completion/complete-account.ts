import { millisecondsOf, type Timestamp, timestampAt } from '../codecs/timestamp.js';
import type { Dataset } from '../records/dataset.js';
import { assignIds } from './assign-ids.js';
import { day } from './dates.js';
import type { FixtureFile } from './fixture-file.js';
import { handleOf, hostOf, titleOf } from './tenant-name.js';

/**
 * The user of a fixture, and credentials. A session and a token are made only for a user whose password is
 * made as well: nobody gets easily guessed credentials who has set a password.
 */
export const completeAccount = (
  { user = {}, sessions, apiTokens }: AccountPart,
  name: string,
  asOf: Timestamp,
): Pick<Dataset, 'user' | 'sessions' | 'apiTokens'> => {
  const handle = handleOf(name);
  const isMade = user.password === undefined;
  const createdAt = timestampAt(millisecondsOf(asOf) - day);
  const expiresAt = timestampAt(millisecondsOf(asOf) + 365 * day);
  const givenSessions = sessions ?? (isMade ? [{ value: `${handle}-session` }] : []);
  const givenTokens = apiTokens ?? (isMade ? [{ token: `${handle}-token` }] : []);
  const sessionIds = assignIds('ses', givenSessions.map(keyed(({ value }) => value)));
  const tokenIds = assignIds('tok', givenTokens.map(keyed(({ token }) => token)));
  return {
    user: {
      id: user.id ?? `usr_${handle}`,
      email: user.email ?? `user@${hostOf(name)}.test`,
      name: user.name ?? titleOf(name),
      password: user.password ?? `${handle}-password`,
    },
    sessions: givenSessions.map((session, i) => ({
      id: sessionIds[i] ?? '',
      value: session.value,
      createdAt: session.createdAt ?? createdAt,
      expiresAt: session.expiresAt ?? expiresAt,
    })),
    apiTokens: givenTokens.map((token, i) => ({
      id: tokenIds[i] ?? '',
      name: token.name ?? 'API token',
      token: token.token,
      createdAt: token.createdAt ?? createdAt,
      expiresAt: token.expiresAt ?? null,
      revokedAt: token.revokedAt ?? null,
    })),
  };
};

type Partly<A> = Readonly<{ [K in keyof A]?: A[K] | undefined }>;
type Session = Dataset['sessions'][number];
type ApiToken = Dataset['apiTokens'][number];

/** The parts of a fixture about its user. */
export type AccountPart = Readonly<{
  user?: Partly<NonNullable<FixtureFile['user']>> | undefined;
  sessions?: readonly (Partly<Session> & Pick<Session, 'value'>)[] | undefined;
  apiTokens?: readonly (Partly<ApiToken> & Pick<ApiToken, 'token'>)[] | undefined;
}>;

const keyed =
  <A extends Readonly<{ id?: string | undefined }>>(secretOf: (row: A) => string) =>
  (row: A) => ({ id: row.id, key: secretOf(row), content: '' });
