import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { textOf } from '../common/json.js';
import { Email, StringCodec, Text } from '../contract/codecs/text-and-numbers.js';
import { timestampAt } from '../contract/codecs/timestamp.js';
import {
  type AccountDependencies,
  type AccountError,
  type AccountOutcome,
  sessionToEnd,
  type Visitor,
} from './account-flow.js';
import type { PasswordHash, UserProfile, UserRecord } from './account-records.js';
import { type DemoAccounts, demoRows, type Persona, personaField } from './demo-rows.js';
import { decodeForm, LogInForm, NewPassword, refuseGuessable } from './forms.js';
import { newId, newSession } from './sessions-and-tokens.js';

/** A session that has started: its user, and the value for the cookie. */
export type StartedSession = Readonly<{ user: UserProfile; sessionValue: string }>;

/** What a login needs. */
type LogInDependencies = Omit<AccountDependencies, 'hashPassword' | 'demo' | 'personas' | 'isPublished'>;

/** The session that the browser sent ends: an attacker may have planted it (session fixation). */
export const logIn =
  (dependencies: LogInDependencies) =>
  async (posted: unknown, visitor: Visitor): AccountOutcome<StartedSession> => {
    const form = decodeForm(LogInForm, posted);
    if (E.isLeft(form)) return form;
    const user = await verifyPassword(dependencies)(form.right, visitor);
    const started = E.isLeft(user)
      ? user
      : await startSession(dependencies, user.right, visitor, () => verifyAgain(dependencies, user.right));
    if (E.isLeft(started) && started.left._tag === 'WrongCredentials')
      visitor.report({ _tag: 'LogInFailed', userId: started.left.userId ?? null });
    return started;
  };

/** Reports an attempt that the limits have refused. */
const reportLimits = ({ report }: Visitor, attempt: E.Either<AccountError, unknown>): void => {
  if (E.isLeft(attempt) && attempt.left._tag === 'TooManyAttempts')
    report({ _tag: attempt.left.limit === undefined ? 'LogInLimited' : 'SignUpLimited' });
};

/**
 * The user with this address, if the password is right. Every flow that asks for a password comes through
 * here, so that they share the limits. An unknown address takes the same time and gets the same answer as a
 * wrong password.
 */
export const verifyPassword =
  ({ storage, attempts, hashing, isPassword }: LogInDependencies) =>
  async ({ email, password }: LogInForm, visitor: Visitor): AccountOutcome<UserRecord> => {
    const verification = async (): AccountOutcome<UserRecord> => {
      const user = await storage.userByEmail(email);
      if (E.isLeft(user)) return user;
      const isRight = await isPassword(password, user.right?.passwordHash ?? null);
      if (isRight && user.right !== null) return E.right(user.right);
      return E.left({ _tag: 'WrongCredentials', userId: user.right?.id });
    };
    const arrived = await attempts.arrive(visitor, email);
    const verified = E.isLeft(arrived)
      ? arrived
      : await hashing.forVisitor(visitor, () => attempts.logIn(email, visitor, verification));
    reportLimits(visitor, verified);
    return verified;
  };

/** The password may have been changed meanwhile, which ended all sessions but the new one. */
const verifyAgain = async ({ storage }: LogInDependencies, user: UserRecord): AccountOutcome<void> => {
  const current = await storage.userByEmail(user.email);
  if (E.isLeft(current)) return current;
  const isSame = current.right?.id === user.id && current.right.passwordHash === user.passwordHash;
  return isSame ? E.right(undefined) : E.left({ _tag: 'WrongCredentials', userId: user.id });
};

/** Hashes a new password when it is the visitor's turn. */
export const hashInTurn = (
  { hashing, hashPassword }: AccountDependencies,
  password: string,
  visitor: Visitor,
): AccountOutcome<PasswordHash> =>
  hashing.forVisitor(visitor, async () => E.right(await hashPassword(password)));

/** Starts a session. If it is not confirmed, it ends, and nobody gets to know it. */
const startSession = async (
  { storage, clock, isPublishedSession }: LogInDependencies,
  user: UserRecord,
  { network, session, report }: Visitor,
  confirm: () => AccountOutcome<void> = async () => E.right(undefined),
): AccountOutcome<StartedSession> => {
  const { value, record } = newSession(user.id, clock(user.id), network);
  const started = await storage.startSession(record, sessionToEnd(isPublishedSession, session));
  if (E.isLeft(started)) return started;
  const confirmed = await confirm();
  if (E.isLeft(confirmed)) {
    const ended = await storage.endSession(record.hash);
    return E.isLeft(ended) ? ended : confirmed;
  }
  report({ _tag: 'LoggedIn', userId: user.id });
  return E.right({ user, sessionValue: value });
};

/** The form that logs in to a demo account. `account`: its id or its e-mail address. */
const DemoLogInForm = t.strict(
  { account: new StringCodec('the id or the e-mail address of one demo account', {}) },
  'DemoLogInForm',
);

/**
 * Starts a session on a demo account without its password. `find` knows the accounts that are open to this
 * visitor. It counts as a login, but wrong passwords do not block it: it tells nobody the right one.
 */
export const demoLogIn =
  (dependencies: LogInDependencies) =>
  async (posted: unknown, find: DemoAccounts['find'], visitor: Visitor): AccountOutcome<StartedSession> => {
    const { attempts, storage } = dependencies;
    const form = decodeForm(DemoLogInForm, posted);
    if (E.isLeft(form)) return form;
    const account = find(form.right.account);
    const arrived = await attempts.arrive(visitor, null);
    reportLimits(visitor, arrived);
    if (E.isLeft(arrived)) return arrived;
    const user = account === null ? E.right(null) : await storage.userByEmail(account.email);
    if (E.isLeft(user)) return user;
    // Fixtures may have been reloaded: the address may belong to somebody else by now.
    return user.right === null || user.right.id !== account?.id
      ? E.left({ _tag: 'DemoAccountNotFound' })
      : startSession(dependencies, user.right, visitor);
  };

/** Ends the session of a visitor, if it is valid. A published one goes on: other visitors use it, too. */
export const logOut =
  ({ storage, clock, isPublishedSession }: LogInDependencies) =>
  async ({ session, report }: Visitor): AccountOutcome<void> => {
    if (session === null) return E.right(undefined);
    if (isPublishedSession(session)) return E.left({ _tag: 'AccountPublished', wish: 'end its session' });
    const caller = await storage.caller({ session, apiToken: null, at: timestampAt(clock()) });
    if (E.isLeft(caller)) return caller.left._tag === 'Unauthorized' ? E.right(undefined) : caller;
    const ended = await storage.endSession(session);
    if (E.isRight(ended)) report({ _tag: 'LoggedOut', userId: caller.right.userId });
    return ended;
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
const SignUpForm = t.strict({ email: NewEmail, name: Name, password: NewPassword }, 'SignUpForm');

/** Decodes a sign-up form. `left`: every invalid field, also a password that is easy to guess. */
const decodeSignUp = (posted: unknown, personas: readonly Persona[] | null) => {
  const owner = { email: textOf(posted, 'email') ?? '', name: textOf(posted, 'name') ?? '' };
  const fields = { ...SignUpForm.type.props, persona: personaField(personas) };
  const decoded = decodeForm(t.strict(fields, SignUpForm.name), posted);
  return refuseGuessable(decoded, 'password', posted, owner);
};

/**
 * Creates an account with demo rows, or those of a persona, and a first session; the session that the browser
 * sent ends. The password is hashed before the address is looked up, so that only the answer, and not the
 * response time, tells that an address is taken.
 */
export const signUp =
  (dependencies: AccountDependencies) =>
  async (posted: unknown, visitor: Visitor): AccountOutcome<StartedSession> => {
    const { storage, clock, attempts, demo, personas, isPublishedSession } = dependencies;
    const form = await decodeSignUp(posted, personas());
    if (E.isLeft(form)) return form;
    // Every sign-up counts, also a successful one: it is costly, and tells whether an address is taken.
    const attempt = await attempts.signUp(visitor);
    reportLimits(visitor, attempt);
    if (E.isLeft(attempt)) return attempt;
    const { email, name, password, persona } = form.right;
    const passwordHash = await hashInTurn(dependencies, password, visitor);
    if (E.isLeft(passwordHash)) return passwordHash;
    const now = clock();
    const user = { id: newId('usr'), email, name: name.trim(), passwordHash: passwordHash.right };
    const { value, record } = newSession(user.id, now, visitor.network);
    const rows = demoRows((persona?.rows ?? demo)(now));
    const signedUp = await storage.signUp(
      { user, session: record, rows, asOf: timestampAt(now) },
      sessionToEnd(isPublishedSession, visitor.session),
    );
    if (E.isLeft(signedUp)) return signedUp;
    visitor.report({ _tag: 'SignedUp', userId: user.id });
    return E.right({ user, sessionValue: value });
  };
