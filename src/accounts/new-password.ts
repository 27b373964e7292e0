import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { type Problem, problemsOf } from '../contract/codecs/problem.js';
import { SecretString } from '../contract/codecs/text-and-numbers.js';
import type { AccountError } from './account-error.js';

/** A new password, as far as it can be judged alone: long enough. */
export const NewPassword = new SecretString(
  'a password of 10 to 200 characters that is neither a common one nor your name or address',
  { minLength: 10, maxLength: 200 },
);

/** Whose password it is, as far as that is known. */
export type PasswordOwner = Readonly<{ email: string; name: string }>;

/** Characters that look the same are the same (NFKC), as for the hash; letter case does not matter. */
const normalize = (text: string): string => text.normalize('NFKC').toLowerCase().trim();

/** Whether a password is the owner's name or e-mail address, or the part of the address before the @. */
const isPersonal = (password: string, { email, name }: PasswordOwner): boolean =>
  [name, email, email.replace(/@.*/s, '')].map(normalize).includes(normalize(password));

/**
 * Adds a guessable new password to the problems of a decoded form. Nothing else is required of a password
 * (NIST SP 800-63B). The list of common ones is loaded when the first password is judged, not when the server
 * starts.
 */
export const refuseGuessable =
  (field: string, posted: unknown, owner: PasswordOwner) =>
  <A>(decoded: E.Either<AccountError, A>): TE.TaskEither<AccountError, A> => {
    const password: unknown = Object(posted)[field];
    if (!NewPassword.is(password)) return TE.fromEither(decoded);
    return pipe(
      TE.fromTask(async () => {
        const { commonPasswords } = await import('./common-passwords.js');
        return commonPasswords.has(normalize(password)) || isPersonal(password, owner);
      }),
      TE.flatMapEither((isRefused) => (isRefused ? E.left(withProblem(decoded, field, password)) : decoded)),
    );
  };

const withProblem = (
  decoded: E.Either<AccountError, unknown>,
  field: string,
  value: string,
): AccountError => {
  const others: readonly Problem[] =
    E.isLeft(decoded) && decoded.left._tag === 'InvalidForm' ? decoded.left.problems : [];
  const context = [
    { key: '', type: t.unknown },
    { key: field, type: NewPassword },
  ];
  return { _tag: 'InvalidForm', problems: [...others, ...problemsOf([{ value, context }])] };
};
