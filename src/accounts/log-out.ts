import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { timestampAt } from '../contract/codecs/timestamp.js';
import type { AccountError } from './account-error.js';
import type { AccountDependencies } from './dependencies.js';
import type { Visitor } from './visitor.js';

type Dependencies = Pick<AccountDependencies, 'storage' | 'clock' | 'isPublishedSession'>;

/**
 * Ends the session of a visitor at once. Without a valid one, there is nothing to end. A published session
 * does not end: other visitors use it, too.
 */
export const logOut =
  ({ storage, clock, isPublishedSession }: Dependencies) =>
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
