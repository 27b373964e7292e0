import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { timestampAt } from '../contract/codecs/timestamp.js';
import type { UserProfile, UserRecord } from '../records/user.js';
import type { AccountError } from './account-error.js';
import { demoRows } from './demo-rows.js';
import type { AccountDependencies } from './dependencies.js';
import { decodeSignUp } from './forms.js';
import { sessionToEnd } from './published-accounts.js';
import { newId } from './secrets.js';
import { newSession } from './session.js';
import type { Visitor } from './visitor.js';

/** A session that has started: its user, and the value for the cookie. */
export type StartedSession = Readonly<{ user: UserProfile; sessionValue: string }>;

/**
 * Creates an account with demo rows, or those of a persona, and a first session; the session that the browser
 * sent ends. The password is hashed before the address is looked up, so that only the answer, and not the
 * response time, tells that an address is taken.
 */
export const signUp =
  (dependencies: AccountDependencies) =>
  (posted: unknown, visitor: Visitor): TE.TaskEither<AccountError, StartedSession> => {
    const { storage, clock, attempts, hashing, hashPassword, demo, personas } = dependencies;
    const { address, session, report } = visitor;
    return pipe(
      decodeSignUp(posted, personas()),
      // Every sign-up counts, also a successful one: it is costly, and tells whether an address is taken.
      TE.tap(
        (): TE.TaskEither<AccountError, void> =>
          pipe(
            attempts.signUp(address),
            TE.tapError(() => TE.fromIO(() => report({ _tag: 'SignUpLimited' }))),
            TE.map((attempt) => attempt.failed()),
          ),
      ),
      TE.flatMap((form) =>
        pipe(
          hashing.forVisitor(
            visitor,
            TE.fromTask<UserRecord['passwordHash'], AccountError>(() => hashPassword(form.password)),
          ),
          TE.flatMap((passwordHash): TE.TaskEither<AccountError, StartedSession> => {
            const now = clock();
            const user = { id: newId('usr'), email: form.email, name: form.name.trim(), passwordHash };
            const { value, record } = newSession(user.id, now, address);
            const rows = demoRows((form.persona?.rows ?? demo)(now));
            return pipe(
              storage.signUp(
                { user, session: record, rows, asOf: timestampAt(now) },
                sessionToEnd(dependencies, session),
              ),
              TE.tapIO(() => () => report({ _tag: 'SignedUp', userId: user.id })),
              TE.map(() => ({ user, sessionValue: value })),
            );
          }),
        ),
      ),
    );
  };
