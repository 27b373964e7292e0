import type * as E from 'fp-ts/lib/Either.js';
import { type AccountDependencies, nonePublished, type Visitor } from '../../src/accounts/account-flow.js';
import { type StartedSession, signUp } from '../../src/accounts/log-in-and-sign-up.js';
import { isPassword } from '../../src/accounts/passwords.js';
import { aSession, aToken, at, aUser, dataset, now } from '../_data.js';
import { hashingAtOnce, limiterOf } from '../_limits.js';
import { aStorage, hashCheaply } from '../_storage.js';

/** A tenant whose password is `secret`, with the session `kim-cookie` and the API token `kim-token`. */
export const kim = dataset({
  user: aUser('kim'),
  sessions: [aSession('kim-cookie')],
  apiTokens: [aToken('kim-token')],
});

/** Accounts over a storage that holds `kim`. */
export const dependencies = (over: Partial<AccountDependencies> = {}): AccountDependencies => ({
  storage: aStorage([kim]),
  clock: () => at(now),
  attempts: limiterOf(),
  hashing: hashingAtOnce,
  ...nonePublished,
  hashPassword: hashCheaply,
  isPassword,
  demo: () => kim,
  personas: () => null,
  ...over,
});

/** A visitor from one network address, without a session, who stays until the end. */
export const aVisitor = (over: Partial<Visitor> = {}): Visitor => ({
  address: '192.0.2.1',
  network: over.address ?? '192.0.2.1',
  session: null,
  hasLeft: () => false,
  report: () => {},
  ...over,
});

/** A user who has signed up as Ann with the password `correct horse`, with the session of the sign-up. */
export const newcomer = async (given: AccountDependencies): Promise<StartedSession> => {
  const form = { email: 'ann@new.test', name: 'Ann Miller', password: 'correct horse' };
  const started = await signUp(given)(form, aVisitor());
  if (started._tag === 'Left') throw new Error(started.left._tag);
  return started.right;
};

type Result = E.Either<Readonly<{ _tag: string }>, unknown>;

/** The tag of an error, or `done`. */
export const outcome = async (done: Result | Promise<Result>): Promise<string> => {
  const result = await done;
  return result._tag === 'Left' ? result.left._tag : 'done';
};
