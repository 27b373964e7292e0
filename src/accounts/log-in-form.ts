import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { problemsOf } from '../contract/codecs/problem.js';
import { SecretString, StringCodec } from '../contract/codecs/text-and-numbers.js';
import { Timestamp } from '../contract/codecs/timestamp.js';
import { UserProfile } from '../records/account-records.js';
import type { AccountError } from './account-flow.js';

export const AnyPassword = new SecretString('a password', {});

/** The login form. Any text is accepted: the answer does not say what is wrong with it. */
export const LogInForm = t.strict(
  { email: new StringCodec('an e-mail address', {}), password: AnyPassword },
  'LogInForm',
);
export type LogInForm = t.TypeOf<typeof LogInForm>;

/** The JSON response of login and sign-up: the signed-in user. */
export const SignedIn = t.strict({ user: UserProfile }, 'SignedIn');

/** The JSON response of `GET /session`. */
export const CurrentSession = t.strict({ ...SignedIn.type.props, expiresAt: Timestamp }, 'CurrentSession');

export const decodeForm = <A, O>(codec: t.Type<A, O>, posted: unknown): E.Either<AccountError, A> =>
  E.mapLeft((errors: t.Errors): AccountError => ({ _tag: 'InvalidForm', problems: problemsOf(errors) }))(
    codec.decode(posted),
  );
