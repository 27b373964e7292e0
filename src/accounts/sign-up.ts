import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { timestampAt } from '../codecs/timestamp.js';
import type { SecretHash } from '../records/secret-hash.js';
import type { UserProfile, UserRecord } from '../records/user.js';
import type { AccountError } from './account-error.js';
import { decodeForm } from './decode-form.js';
import { demoRows } from './demo-rows.js';
import type { AccountDependencies } from './dependencies.js';
import { SignUpForm } from './forms.js';
import { newId } from './secrets.js';
import { newSession } from './session.js';

/** A session that has begun: whose, and the value for its cookie. */
export type StartedSession = Readonly<{ user: UserProfile; sessionValue: string }>;

/**
 * Creates an account with the demo rows and its first session; the one that the browser came with ends. The password is hashed before anybody looks whether the address
 * is taken, so that the time does not tell; the answer has to.
 */
export const signUp =
  ({ storage, clock, attempts, hashPassword, demo }: AccountDependencies) =>
  (
    posted: unknown,
    address: string,
    before: SecretHash | null,
  ): TE.TaskEither<AccountError, StartedSession> =>
    pipe(
      TE.fromEither(decodeForm(SignUpForm, posted)),
      // Each one counts, whatever comes of it: a sign-up is costly, and tells whether an address is taken.
      TE.tap(
        (): TE.TaskEither<AccountError, void> =>
          pipe(
            attempts.signUp(address),
            TE.map((attempt) => attempt.failed()),
          ),
      ),
      TE.flatMap((form) =>
        pipe(
          TE.fromTask<UserRecord['passwordHash'], AccountError>(() => hashPassword(form.password)),
          TE.flatMap((passwordHash): TE.TaskEither<AccountError, StartedSession> => {
            const now = clock();
            const user = { id: newId('usr'), email: form.email, name: form.name.trim(), passwordHash };
            const { value, record } = newSession(user.id, now);
            const rows = demoRows(demo(now));
            return pipe(
              storage.signUp({ user, session: record, rows, asOf: timestampAt(now) }, before),
              TE.map(() => ({ user, sessionValue: value })),
            );
          }),
        ),
      ),
    );
