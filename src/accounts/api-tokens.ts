import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { mismatch } from '../contract/codecs/problem.js';
import { millisecondsOf, type Timestamp, timestampAt } from '../contract/codecs/timestamp.js';
import { tokenPrefix } from '../records/api-token.js';
import type { Caller } from '../records/caller.js';
import type { AccountError } from './account-error.js';
import type { AccountDependencies } from './dependencies.js';
import { decodeForm, MintForm } from './forms.js';
import { unlessPublished } from './published-accounts.js';
import type { ListedToken, MintedToken } from './response-codecs.js';
import { hashSecret, newApiToken, newId } from './secrets.js';
import type { Visitor } from './visitor.js';

type Dependencies = Pick<AccountDependencies, 'storage' | 'clock'>;

type ChangingDependencies = Dependencies & Pick<AccountDependencies, 'isPublished'>;

type Reporter = Pick<Visitor, 'report'>;

/** Lists the caller's API tokens, the newest first, without the tokens themselves. */
export const listApiTokens =
  ({ storage }: Dependencies) =>
  (caller: Caller): TE.TaskEither<AccountError, readonly ListedToken[]> =>
    pipe(
      storage.apiTokens(caller),
      TE.map((records) =>
        records.map(({ id, name, prefix, createdAt, lastUsedAt, expiresAt, revokedAt }) => ({
          id,
          name,
          prefix,
          createdAt,
          lastUsedAt,
          expiresAt,
          revokedAt,
        })),
      ),
    );

/** Mints a token for the caller. It is returned this once: only its hash is stored. */
export const mintApiToken =
  ({ storage, clock, isPublished }: ChangingDependencies) =>
  (caller: Caller, posted: unknown, { report }: Reporter): TE.TaskEither<AccountError, MintedToken> =>
    pipe(
      unlessPublished(isPublished, caller, 'mint API tokens'),
      E.flatMap(() => decodeForm(MintForm, posted)),
      E.bindTo('form'),
      E.bind('expiresAt', ({ form }) => expiryOf(form, clock())),
      TE.fromEither,
      TE.flatMap(({ form, expiresAt }): TE.TaskEither<AccountError, MintedToken> => {
        const token = newApiToken();
        const minted = { id: newId('tok'), name: form.name.trim(), token, expiresAt };
        return pipe(
          storage.addApiToken({
            id: minted.id,
            userId: caller.userId,
            name: minted.name,
            prefix: tokenPrefix(token),
            hash: hashSecret(token),
            createdAt: timestampAt(clock()),
            expiresAt,
            revokedAt: null,
            lastUsedAt: null,
          }),
          TE.tapIO(() => () => report({ _tag: 'ApiTokenMinted', userId: caller.userId, tokenId: minted.id })),
          TE.map(() => minted),
        );
      }),
    );

/** Revokes a token of the caller immediately. Revoking it again changes nothing. */
export const revokeApiToken =
  ({ storage, clock, isPublished }: ChangingDependencies) =>
  (caller: Caller, id: string, { report }: Reporter): TE.TaskEither<AccountError, void> =>
    pipe(
      TE.fromEither(unlessPublished(isPublished, caller, 'revoke API tokens')),
      TE.flatMap(() => storage.revokeApiToken(caller, id, timestampAt(clock()))),
      TE.flatMap((isFound): TE.TaskEither<AccountError, void> => {
        if (!isFound) return TE.left({ _tag: 'ApiTokenNotFound' });
        report({ _tag: 'ApiTokenRevoked', userId: caller.userId, tokenId: id });
        return TE.right(undefined);
      }),
    );

const day = 24 * 60 * 60 * 1000;

const expiryOf = (
  { expiresAt, expiresInDays }: MintForm,
  now: number,
): E.Either<AccountError, Timestamp | null> => {
  if (expiresAt === undefined || expiresAt === null) {
    return E.right(expiresInDays === null ? null : timestampAt(now + expiresInDays * day));
  }
  if (millisecondsOf(expiresAt) > now) return E.right(expiresAt);
  const expired = mismatch(['expiresAt'], 'a time in the future', `"${expiresAt}"`);
  return E.left({ _tag: 'InvalidForm', problems: [expired] });
};
