import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import type * as TE from '#fp-ts/TaskEither';
import { nullable, optional } from '../contract/codecs/combinators.js';
import { problemsOf } from '../contract/codecs/problem.js';
import { Email, SecretString, Text } from '../contract/codecs/text-and-numbers.js';
import { Timestamp } from '../contract/codecs/timestamp.js';
import type { AccountError } from './account-error.js';
import { NewPassword, type PasswordOwner, refuseGuessable } from './new-password.js';
import { type Persona, personaField } from './personas.js';

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

const AnyPassword = new SecretString('a password', {});

const Name = refined(
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

/** The form that changes the password of the user who is signed in. */
export const ChangePasswordForm = t.strict(
  { currentPassword: AnyPassword, newPassword: NewPassword },
  'ChangePasswordForm',
);
export type ChangePasswordForm = t.TypeOf<typeof ChangePasswordForm>;

/** Decodes the form that changes a password. `left`: every invalid field, also one that is easy to guess. */
export const decodeChangePassword = (
  posted: unknown,
  owner: PasswordOwner,
): TE.TaskEither<AccountError, ChangePasswordForm> =>
  pipe(decodeForm(ChangePasswordForm, posted), refuseGuessable('newPassword', posted, owner));

/** The form that deletes the account. */
export const DeleteAccountForm = t.strict({ password: AnyPassword }, 'DeleteAccountForm');
export type DeleteAccountForm = t.TypeOf<typeof DeleteAccountForm>;

/** A field that accepts any text. `name`: what a visitor is asked to enter. */
const anyText = (name: string) => refined(t.string, name, () => true);

/** The login form. Any text is accepted: the answer does not say what is wrong with it. */
export const LogInForm = t.strict(
  { email: anyText('an e-mail address'), password: AnyPassword },
  'LogInForm',
);
export type LogInForm = t.TypeOf<typeof LogInForm>;

/** The form that logs in to a demo account. `account`: its id or its e-mail address. */
export const DemoLogInForm = t.strict(
  { account: anyText('the id or the e-mail address of one demo account') },
  'DemoLogInForm',
);

const isDays = (u: unknown): u is number => Number.isInteger(u) && Number(u) >= 1 && Number(u) <= 3650;

/** A number of days, as JSON or forms write it; left out or empty, it is null. */
const Days = new t.Type<number | null, number | null, unknown>(
  'a number of days from 1 to 3650, or nothing',
  (u): u is number | null => u === null || isDays(u),
  (u, c) => {
    if (u === undefined || u === null || u === '') return t.success(null);
    const days: unknown = typeof u === 'string' && /^\d+$/.test(u) ? Number(u) : u;
    return isDays(days) ? t.success(days) : t.failure(u, c);
  },
  t.identity,
);

/**
 * The form for a new API token. It expires at a moment or after some days; without both, it is valid until
 * revoked.
 */
export const MintForm = t.strict(
  { name: Name, expiresAt: optional(nullable(Timestamp)), expiresInDays: Days },
  'MintForm',
);
export type MintForm = t.TypeOf<typeof MintForm>;

/** Decodes a posted form. `left`: every invalid field. */
export const decodeForm = <A, O>(codec: t.Type<A, O>, posted: unknown): E.Either<AccountError, A> =>
  E.mapLeft((errors: t.Errors): AccountError => ({ _tag: 'InvalidForm', problems: problemsOf(errors) }))(
    codec.decode(posted),
  );
