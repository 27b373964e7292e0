import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { Email, StringCodec, Text } from '../contract/codecs/text-and-numbers.js';
import { timestampAt } from '../contract/codecs/timestamp.js';
import type { PasswordHash, UserProfile, UserRecord } from '../records/account-records.js';
import { type AccountDependencies, type AccountError, sessionToEnd, type Visitor } from './account-flow.js';
import { type DemoAccounts, demoRows, type Persona, personaField } from './demo-rows.js';
import { decodeForm, LogInForm, NewPassword, refuseGuessable } from './forms.js';
import { newId, newSession } from './sessions-and-tokens.js';

/** A session that has started: its user, and the value for the cookie. */
export type StartedSession = Readonly<{ user: UserProfile; sessionValue: string }>;

/** What a login needs. */
export type LogInDependencies = Omit<
  AccountDependencies,
  'hashPassword' | 'demo' | 'personas' | 'isPublished'
>;

/** The session that the browser sent ends: an attacker may have planted it (session fixation). */
export const logIn =
  (dependencies: LogInDependencies) =>
  (posted: unknown, visitor: Visitor): TE.TaskEither<AccountError, StartedSession> =>
    pipe(
      TE.fromEither(decodeForm(LogInForm, posted)),
      TE.bindTo('form'),
      TE.bind('user', ({ form }) => verifyPassword(dependencies)(form, visitor)),
      TE.flatMap(({ form, user }) =>
        startSession(dependencies, user, visitor, () => verifyAgain(dependencies, form, user, visitor)),
      ),
      reportFailures((error) => {
        if (error._tag === 'WrongCredentials')
          visitor.report({ _tag: 'LogInFailed', userId: error.userId ?? null });
      }),
    );

const reportFailures = (report: (error: AccountError) => void) =>
  TE.tapError((error: AccountError) => TE.fromIO(() => report(error)));

const reportLimits = ({ report }: Visitor) =>
  reportFailures((error) => {
    if (error._tag === 'TooManyAttempts')
      report({ _tag: error.limit === undefined ? 'LogInLimited' : 'SignUpLimited' });
  });

/**
 * The user with this address, if the password is right. Every flow that asks for a password comes through
 * here, so that they share the limits. An unknown address takes the same time and gets the same answer as a
 * wrong password.
 */
export const verifyPassword =
  ({ storage, attempts, hashing, isPassword }: LogInDependencies) =>
  ({ email, password }: LogInForm, visitor: Visitor): TE.TaskEither<AccountError, UserRecord> => {
    const verification = async (): Promise<E.Either<AccountError, UserRecord>> => {
      const user = await storage.userByEmail(email)();
      if (E.isLeft(user)) return user;
      const isRight = await isPassword(password, user.right?.passwordHash ?? null);
      if (isRight && user.right !== null) return E.right(user.right);
      return E.left({ _tag: 'WrongCredentials', userId: user.right?.id });
    };
    return pipe(
      attempts.arrive(email, visitor.address),
      TE.flatMap(() => hashing.forVisitor(visitor, attempts.logIn(email, visitor.address, verification))),
      reportLimits(visitor),
    );
  };

/**
 * The password may have been changed meanwhile, which ended all sessions but the new one. Fixtures that were
 * read again have another hash of the same password.
 */
const verifyAgain =
  (
    { storage, hashing, isPassword }: LogInDependencies,
    { email, password }: LogInForm,
    user: UserRecord,
    visitor: Visitor,
  ): TE.TaskEither<AccountError, void> =>
  async () => {
    const found = await storage.userByEmail(email)();
    if (E.isLeft(found)) return found;
    const now = found.right;
    if (now?.id === user.id && now.passwordHash === user.passwordHash) return E.right(undefined);
    const verification = TE.fromTask(() => isPassword(password, now?.passwordHash ?? null));
    const isRight = await hashing.forVisitor(visitor, verification)();
    if (E.isLeft(isRight)) return isRight;
    return isRight.right ? E.right(undefined) : E.left({ _tag: 'WrongCredentials', userId: user.id });
  };

/** Hashes a new password when it is the visitor's turn. */
export const hashInTurn = (
  { hashing, hashPassword }: AccountDependencies,
  password: string,
  visitor: Visitor,
): TE.TaskEither<AccountError, PasswordHash> =>
  hashing.forVisitor(visitor, async () => E.right(await hashPassword(password)));

/** Starts a session. If it is not confirmed, it ends, and nobody gets to know it. */
const startSession = (
  { storage, clock, isPublishedSession }: LogInDependencies,
  user: UserRecord,
  { address, session, report }: Visitor,
  confirm: () => TE.TaskEither<AccountError, unknown> = () => TE.right(undefined),
): TE.TaskEither<AccountError, StartedSession> => {
  const { value, record } = newSession(user.id, clock(user.id), address);
  return pipe(
    storage.startSession(record, sessionToEnd(isPublishedSession, session)),
    TE.flatMap(() => TE.tapError(confirm(), () => storage.endSession(record.hash))),
    TE.tapIO(() => () => report({ _tag: 'LoggedIn', userId: user.id })),
    TE.map(() => ({ user, sessionValue: value })),
  );
};

/** The form that logs in to a demo account. `account`: its id or its e-mail address. */
const DemoLogInForm = t.strict(
  { account: new StringCodec('the id or the e-mail address of one demo account', {}) },
  'DemoLogInForm',
);

/**
 * Starts a session on a demo account without its password. `find` knows the accounts that are open to this
 * visitor. The limits are those of any login.
 */
export const demoLogIn =
  (dependencies: LogInDependencies) =>
  (
    posted: unknown,
    find: DemoAccounts['find'],
    visitor: Visitor,
  ): TE.TaskEither<AccountError, StartedSession> =>
  async () => {
    const { attempts, storage } = dependencies;
    const form = decodeForm(DemoLogInForm, posted);
    if (E.isLeft(form)) return form;
    const found = find(form.right.account);
    const email = found?.email ?? form.right.account;
    const arrived = await reportLimits(visitor)(attempts.arrive(email, visitor.address))();
    if (E.isLeft(arrived)) return arrived;
    const user = found === null ? E.right(null) : await storage.userByEmail(email)();
    if (E.isLeft(user)) return user;
    // Fixtures may have been reloaded: the address may belong to somebody else by now.
    return user.right === null || user.right.id !== found?.id
      ? E.left({ _tag: 'DemoAccountNotFound' })
      : startSession(dependencies, user.right, visitor)();
  };

/** Ends the session of a visitor, if it is valid. A published one goes on: other visitors use it, too. */
export const logOut =
  ({ storage, clock, isPublishedSession }: LogInDependencies) =>
  ({ session, report }: Visitor): TE.TaskEither<AccountError, void> => {
    if (session === null) return TE.right(undefined);
    if (isPublishedSession(session)) return TE.left({ _tag: 'AccountPublished', wish: 'end its session' });
    return pipe(
      storage.caller({ session, apiToken: null, at: timestampAt(clock()) }),
      TE.tap(() => storage.endSession(session)),
      TE.map(({ userId }) => report({ _tag: 'LoggedOut', userId })),
      TE.orElse((error) => (error._tag === 'Unauthorized' ? TE.right(undefined) : TE.left(error))),
    );
  };

const NewEmail = new StringCodec(
  'an e-mail address such as name@example.com',
  {},
  (text) => Email.is(text) && /^[^\p{C}\p{Z}@]+@[^\p{C}\p{Z}@.]+(\.[^\p{C}\p{Z}@.]+)+$/u.test(text),
);

/** The name of an account or of an API token. */
export const Name = new StringCodec(
  'a name of 1 to 100 characters, at least one of them visible',
  { maxLength: 100 },
  (text) => Text.is(text) && /[^\p{C}\p{Z}\p{M}]/u.test(text) && !/\p{Cc}/u.test(text),
);

/** The sign-up form, without the persona. */
export const SignUpForm = t.strict({ email: NewEmail, name: Name, password: NewPassword }, 'SignUpForm');

/** Decodes a sign-up form. `left`: every invalid field, also a password that is easy to guess. */
export const decodeSignUp = (posted: unknown, personas: readonly Persona[] | null) => {
  const { email, name } = Object(posted);
  const owner = { email: typeof email === 'string' ? email : '', name: typeof name === 'string' ? name : '' };
  const fields = { ...SignUpForm.type.props, persona: personaField(personas) };
  const decoded = decodeForm(t.strict(fields, SignUpForm.name), posted);
  return pipe(decoded, refuseGuessable('password', posted, owner));
};

/**
 * Creates an account with demo rows, or those of a persona, and a first session; the session that the browser
 * sent ends. The password is hashed before the address is looked up, so that only the answer, and not the
 * response time, tells that an address is taken.
 */
export const signUp =
  (dependencies: AccountDependencies) =>
  (posted: unknown, visitor: Visitor): TE.TaskEither<AccountError, StartedSession> => {
    const { storage, clock, attempts, demo, personas } = dependencies;
    return pipe(
      decodeSignUp(posted, personas()),
      // Every sign-up counts, also a successful one: it is costly, and tells whether an address is taken.
      TE.tap(() => pipe(attempts.signUp(visitor.address), reportLimits(visitor))),
      TE.bindTo('form'),
      TE.bind('passwordHash', ({ form }) => hashInTurn(dependencies, form.password, visitor)),
      TE.flatMap(({ form, passwordHash }) => {
        const now = clock();
        const user = { id: newId('usr'), email: form.email, name: form.name.trim(), passwordHash };
        const { value, record } = newSession(user.id, now, visitor.address);
        const rows = demoRows((form.persona?.rows ?? demo)(now));
        return pipe(
          storage.signUp(
            { user, session: record, rows, asOf: timestampAt(now) },
            sessionToEnd(dependencies.isPublishedSession, visitor.session),
          ),
          TE.tapIO(() => () => visitor.report({ _tag: 'SignedUp', userId: user.id })),
          TE.map(() => ({ user, sessionValue: value })),
        );
      }),
    );
  };
