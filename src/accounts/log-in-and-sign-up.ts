import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { problemsOf } from '../contract/codecs/problem.js';
import { Email, Text } from '../contract/codecs/text-and-numbers.js';
import { Timestamp, timestampAt } from '../contract/codecs/timestamp.js';
import type { UserProfile, UserRecord } from '../records/account-records.js';
import { type AccountDependencies, type AccountError, sessionToEnd, type Visitor } from './account-flow.js';
import { type DemoAccounts, demoRows, type Persona, personaField } from './demo-rows.js';
import type { Attempt, TooManyAttempts } from './login-limits.js';
import { AnyPassword, NewPassword, refuseGuessable } from './passwords.js';
import { newId, newSession } from './sessions-and-tokens.js';

const refined = (codec: t.Type<string>, name: string, accepts: (text: string) => boolean) =>
  new t.Type<string, string, unknown>(
    name,
    (u): u is string => codec.is(u) && accepts(u),
    (u, c) => (codec.is(u) && accepts(u) ? t.success(u) : t.failure(u, c)),
    t.identity,
  );

const NewEmail = refined(Email, 'an e-mail address such as name@example.com', (email) =>
  /^[^\p{C}\p{Z}@]+@[^\p{C}\p{Z}@.]+(\.[^\p{C}\p{Z}@.]+)+$/u.test(email),
);

export const Name = refined(
  Text,
  'a name of 1 to 100 characters, at least one of them visible',
  (name) => /[^\p{C}\p{Z}\p{M}]/u.test(name) && !/\p{Cc}/u.test(name) && Array.from(name).length <= 100,
);

/** The sign-up form. */
export const SignUpForm = t.strict({ email: NewEmail, name: Name, password: NewPassword }, 'SignUpForm');
export type SignUpForm = t.TypeOf<typeof SignUpForm>;

/**
 * Decodes a sign-up form. `left`: every invalid field, also a password that is easy to guess. Null instead of
 * personas: the form has no such field, and the persona is null.
 */
export const decodeSignUp = (
  posted: unknown,
  personas: readonly Persona[] | null,
): TE.TaskEither<AccountError, SignUpForm & Readonly<{ persona: Persona | null }>> => {
  const { email, name } = Object(posted);
  const owner = { email: typeof email === 'string' ? email : '', name: typeof name === 'string' ? name : '' };
  const decoded =
    personas === null
      ? pipe(
          decodeForm(SignUpForm, posted),
          E.map((form) => ({ ...form, persona: null })),
        )
      : decodeForm(t.strict({ ...SignUpForm.type.props, persona: personaField(personas) }), posted);
  return pipe(decoded, refuseGuessable('password', posted, owner));
};

/** A field that accepts any text. `name`: what a visitor is asked to enter. */
const anyText = (name: string) => refined(t.string, name, () => true);

/** The login form. Any text is accepted: the answer does not say what is wrong with it. */
export const LogInForm = t.strict(
  { email: anyText('an e-mail address'), password: AnyPassword },
  'LogInForm',
);
export type LogInForm = t.TypeOf<typeof LogInForm>;

/** The form that logs in to a demo account. `account`: its id or its e-mail address. */
const DemoLogInForm = t.strict(
  { account: anyText('the id or the e-mail address of one demo account') },
  'DemoLogInForm',
);

/** Decodes a posted form. `left`: every invalid field. */
export const decodeForm = <A, O>(codec: t.Type<A, O>, posted: unknown): E.Either<AccountError, A> =>
  E.mapLeft((errors: t.Errors): AccountError => ({ _tag: 'InvalidForm', problems: problemsOf(errors) }))(
    codec.decode(posted),
  );

type PasswordDependencies = Pick<AccountDependencies, 'storage' | 'attempts' | 'hashing' | 'isPassword'>;

/**
 * The user with this address, if the password is right. Every flow that asks for a password comes through
 * here, so that they share the limits. An unknown address takes the same time and gets the same answer as a
 * wrong password. `onWrong` is told the id of the user, or null if the address is unknown.
 */
export const verifyPassword =
  (dependencies: PasswordDependencies) =>
  (
    form: LogInForm,
    visitor: Visitor,
    onWrong: (userId: string | null) => void,
  ): TE.TaskEither<AccountError, UserRecord> => {
    const { attempts, hashing } = dependencies;
    return pipe(
      limited(visitor, attempts.arrive(form.email, visitor.address)),
      TE.flatMap(() =>
        hashing.forVisitor(
          visitor,
          pipe(
            limited(visitor, attempts.logIn(form.email, visitor.address)),
            TE.flatMap((attempt) => counted(attempt, check(dependencies, form, onWrong))),
          ),
        ),
      ),
    );
  };

/** Reports an attempt that is refused. */
const limited = <A>(
  { report }: Visitor,
  attempt: TE.TaskEither<TooManyAttempts, A>,
): TE.TaskEither<AccountError, A> =>
  pipe(
    attempt,
    TE.tapError(() => TE.fromIO(() => report({ _tag: 'LogInLimited' }))),
  );

const check = (
  { storage, isPassword }: PasswordDependencies,
  { email, password }: LogInForm,
  onWrong: (userId: string | null) => void,
): TE.TaskEither<AccountError, UserRecord> =>
  pipe(
    storage.userByEmail(email),
    TE.mapLeft((error): AccountError => error),
    TE.flatMap((user) =>
      pipe(
        TE.fromTask<boolean, AccountError>(() => isPassword(password, user?.passwordHash ?? null)),
        TE.flatMap((isRight): TE.TaskEither<AccountError, UserRecord> => {
          if (isRight && user !== null) return TE.right(user);
          onWrong(user?.id ?? null);
          return TE.left({ _tag: 'WrongCredentials' });
        }),
      ),
    ),
  );

/** Counts wrong credentials as a failed attempt; neither a success nor a fault of the server counts. */
const counted =
  <A>(attempt: Attempt, verification: TE.TaskEither<AccountError, A>): TE.TaskEither<AccountError, A> =>
  async () => {
    let end = attempt.forgiven;
    try {
      const result = await verification();
      if (E.isLeft(result) && result.left._tag === 'WrongCredentials') end = attempt.failed;
      return result;
    } finally {
      end();
    }
  };

/** The JSON response of login and sign-up: the signed-in user. */
export const SignedIn = t.strict(
  { user: t.strict({ id: t.string, email: t.string, name: t.string }, 'user') },
  'SignedIn',
);
export type SignedIn = t.TypeOf<typeof SignedIn>;

/** The JSON response of `GET /session`: the signed-in user, and when the session ends. */
export const CurrentSession = t.strict({ ...SignedIn.type.props, expiresAt: Timestamp }, 'CurrentSession');

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

/**
 * Starts a session for a correct address and password. The session that the browser sent ends: an attacker
 * may have planted it (session fixation).
 */
export const logIn =
  (dependencies: AccountDependencies) =>
  (posted: unknown, visitor: Visitor): TE.TaskEither<AccountError, StartedSession> =>
    pipe(
      TE.fromEither(decodeForm(LogInForm, posted)),
      TE.flatMap((form) =>
        pipe(
          verifyPassword(dependencies)(form, visitor, (userId) =>
            visitor.report({ _tag: 'LogInFailed', userId }),
          ),
          TE.flatMap((user) => startSession(dependencies, form, user, visitor)),
        ),
      ),
    );

const startSession = (
  dependencies: AccountDependencies,
  form: LogInForm,
  user: UserRecord,
  visitor: Visitor,
): TE.TaskEither<AccountError, StartedSession> => {
  const { storage, clock, hashing, isPassword } = dependencies;
  const { address, session, report } = visitor;
  const { value, record } = newSession(user.id, clock(), address);
  return pipe(
    storage.startSession(record, sessionToEnd(dependencies, session)),
    TE.mapLeft((error): AccountError => error),
    TE.flatMap(() =>
      pipe(
        // The password may have been changed since it was verified. That ended all sessions but this one.
        storage.userByEmail(form.email),
        TE.mapLeft((error): AccountError => error),
        TE.flatMap((now) =>
          now?.id === user.id && now.passwordHash === user.passwordHash
            ? TE.right(true)
            : hashing.forVisitor(
                visitor,
                TE.fromTask<boolean, AccountError>(() =>
                  isPassword(form.password, now?.passwordHash ?? null),
                ),
              ),
        ),
        TE.filterOrElse(
          (isStillRight) => isStillRight,
          (): AccountError => {
            report({ _tag: 'LogInFailed', userId: user.id });
            return { _tag: 'WrongCredentials' };
          },
        ),
        // Nobody gets to know the session then.
        TE.orElse(
          (error): TE.TaskEither<AccountError, boolean> =>
            pipe(
              storage.endSession(record.hash),
              TE.mapLeft((failure): AccountError => failure),
              TE.flatMap(() => TE.left<AccountError>(error)),
            ),
        ),
      ),
    ),
    TE.map(() => {
      report({ _tag: 'LoggedIn', userId: user.id });
      return { user, sessionValue: value };
    }),
  );
};

type DemoLogInDependencies = Pick<
  AccountDependencies,
  'storage' | 'clock' | 'attempts' | 'isPublishedSession'
>;

/**
 * Starts a session on a demo account without its password. `find` knows the accounts that are open to this
 * visitor. As with any login, the session that the browser sent ends, and the attempt counts towards the
 * limits of the visitor's address.
 */
export const demoLogIn =
  (dependencies: DemoLogInDependencies) =>
  (
    posted: unknown,
    find: DemoAccounts['find'],
    visitor: Visitor,
  ): TE.TaskEither<AccountError, StartedSession> => {
    const { storage, clock, attempts } = dependencies;
    return pipe(
      TE.fromEither(decodeForm(DemoLogInForm, posted)),
      TE.flatMap(({ account }) => {
        const found = find(account);
        const email = found?.email ?? account;
        return pipe(
          limited(visitor, attempts.arrive(email, visitor.address)),
          TE.flatMap(() =>
            found === null
              ? TE.right(null)
              : pipe(
                  storage.userByEmail(email),
                  TE.mapLeft((error): AccountError => error),
                ),
          ),
          // Fixtures may have been reloaded: the address may belong to somebody else by now.
          TE.flatMap((user) =>
            user === null || user.id !== found?.id
              ? TE.left<AccountError>({ _tag: 'DemoAccountNotFound' })
              : TE.right(user),
          ),
        );
      }),
      TE.flatMap((user) => {
        const { value, record } = newSession(user.id, clock(), visitor.address);
        return pipe(
          storage.startSession(record, sessionToEnd(dependencies, visitor.session)),
          TE.mapLeft((error): AccountError => error),
          TE.map(() => {
            visitor.report({ _tag: 'LoggedIn', userId: user.id });
            return { user, sessionValue: value };
          }),
        );
      }),
    );
  };

type LogOutDependencies = Pick<AccountDependencies, 'storage' | 'clock' | 'isPublishedSession'>;

/**
 * Ends the session of a visitor at once. Without a valid one, there is nothing to end. A published session
 * does not end: other visitors use it, too.
 */
export const logOut =
  ({ storage, clock, isPublishedSession }: LogOutDependencies) =>
  ({ session, report }: Visitor): TE.TaskEither<AccountError, void> => {
    if (session === null) return TE.right(undefined);
    if (isPublishedSession(session)) return TE.left({ _tag: 'AccountPublished', wish: 'end its session' });
    return pipe(
      storage.caller({ session, apiToken: null, at: timestampAt(clock()) }),
      TE.tap(() => storage.endSession(session)),
      TE.tapIO(
        ({ userId }) =>
          () =>
            report({ _tag: 'LoggedOut', userId }),
      ),
      TE.map(() => undefined),
      TE.orElse((error) => (error._tag === 'Unauthorized' ? TE.right(undefined) : TE.left(error))),
    );
  };
