import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { valueAt } from '../common/json.js';
import { mismatch, problemsOf } from '../contract/codecs/problem.js';
import { SecretString, StringCodec } from '../contract/codecs/text-and-numbers.js';
import { Timestamp } from '../contract/codecs/timestamp.js';
import type { AccountError, AccountOutcome } from './account-flow.js';
import { UserProfile } from './account-records.js';

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

/** A new password, as far as it can be judged alone: long enough. */
export const NewPassword = new SecretString(
  'a password of 10 to 200 characters that is neither a common one nor your name or address',
  { minLength: 10, maxLength: 200 },
);

export type PasswordOwner = Readonly<{ email: string; name: string }>;

/** Characters that look the same are the same (NFKC), as for the hash; letter case does not matter. */
const normalize = (text: string): string => text.normalize('NFKC').toLowerCase().trim();

/** Whether a password is the owner's name or e-mail address, or the part of the address before the @. */
const isPersonal = (password: string, { email, name }: PasswordOwner): boolean =>
  [name, email, email.replace(/@.*/s, '')].map(normalize).includes(normalize(password));

/**
 * Whether a password is one of the lists of zxcvbn, Django and John the Ripper, or a single one of SecLists.
 * Shorter ones than those in the file are refused for their length. It is read when a password is judged.
 */
const isCommon = async (password: string): Promise<boolean> => {
  const { default: words } = await import('../../assets/common-passwords.txt.text.js');
  return words.split(/\s+/).includes(normalize(password));
};

/** Adds a guessable new password to the problems of a form. Nothing else is required (NIST SP 800-63B). */
export const refuseGuessable = async <A>(
  decoded: E.Either<AccountError, A>,
  field: string,
  posted: unknown,
  owner: PasswordOwner,
): AccountOutcome<A> => {
  const password = valueAt(posted, [field]);
  if (!NewPassword.is(password)) return decoded;
  if (!isPersonal(password, owner) && !(await isCommon(password))) return decoded;
  const others = E.isLeft(decoded) && decoded.left._tag === 'InvalidForm' ? decoded.left.problems : [];
  const guessable = mismatch([field], NewPassword.name, 'other text');
  return E.left({ _tag: 'InvalidForm', problems: [...others, guessable] });
};
