import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import type { TaskEither } from '#fp-ts/TaskEither';
import { nullable } from '../../codecs/nullable.js';
import type { Problem } from '../../codecs/problem.js';
import { FixDraftRecord } from '../../records/fix-draft.js';
import type { StorageCall } from '../each-call.js';
import type { PresentedCredentials, Storage, StorageError } from '../port.js';
import {
  ReturnedCaller,
  ReturnedFinding,
  ReturnedProfile,
  ReturnedPullRequest,
  ReturnedRepo,
  ReturnedTokens,
  ReturnedUser,
} from './returned-codecs.js';
import { isErrorOf } from './returned-errors.js';
import { type Accept, acceptList, acceptSlice, acceptWith } from './returned-values.js';
import { settledWithin } from './settled-within.js';

/**
 * A storage that answers as the given one does, where that one keeps to the port. What it returns is accepted
 * by the codecs of the records, and frozen. Anything else is an error: `RecordBroken` for a broken row,
 * `StorageUnavailable` for an operation that does not settle within `timeLimit` milliseconds, and
 * `StorageFailed` for one that throws, rejects, or resolves to something else than an `Either` of the port.
 */
export const guardedStorage = (storage: Storage, timeLimit: number): Storage => {
  const guarded =
    <Args extends readonly unknown[], Err, A>(
      name: StorageCall,
      call: (...args: Args) => TaskEither<Err, A>,
      accept: (value: unknown, ...args: Args) => E.Either<readonly Problem[], A>,
    ) =>
    (...args: Args): TaskEither<Err | StorageError, A> =>
    async () => {
      try {
        const task = call(...args);
        if (typeof task !== 'function') {
          return failed(`the operation ${name} of the storage did not return a function`);
        }
        const settled = await settledWithin(timeLimit, async () => ({ result: await task() }));
        if (settled === null) {
          return unavailable(`the operation ${name} of the storage did not settle within ${timeLimit} ms`);
        }
        const { result } = settled;
        if (!EitherForm.is(result)) {
          return failed(`the operation ${name} of the storage did not resolve to an Either`);
        }
        if (E.isLeft(result)) {
          return isErrorOf(name, result.left)
            ? result
            : failed(`the operation ${name} of the storage failed with an error that it must not have`);
        }
        const accepted = accept(result.right, ...args);
        return E.isRight(accepted)
          ? accepted
          : E.left({ _tag: 'RecordBroken', where: name, problems: accepted.left });
      } catch (cause) {
        return E.left({ _tag: 'StorageFailed', cause });
      }
    };

  const caller = acceptWith(ReturnedCaller);
  const boolean = acceptWith(t.boolean);
  const findings = acceptSlice(acceptWith(FixDraftRecord));
  const prs = acceptSlice(acceptWith(ReturnedPullRequest));
  return {
    caller: guarded('caller', storage.caller, caller),
    userByEmail: guarded('userByEmail', storage.userByEmail, acceptWith(ReturnedUser)),
    user: guarded('user', storage.user, acceptWith(ReturnedProfile)),
    signUp: guarded('signUp', storage.signUp, nothing),
    changePassword: guarded('changePassword', storage.changePassword, boolean),
    deleteAccount: guarded('deleteAccount', storage.deleteAccount, boolean),
    startSession: guarded('startSession', storage.startSession, nothing),
    endSession: guarded('endSession', storage.endSession, nothing),
    apiTokens: guarded('apiTokens', storage.apiTokens, acceptWith(ReturnedTokens)),
    addApiToken: guarded('addApiToken', storage.addApiToken, nothing),
    revokeApiToken: guarded('revokeApiToken', storage.revokeApiToken, boolean),
    repos: guarded('repos', withCheckedCaller(storage.repos, caller), acceptList(acceptWith(ReturnedRepo))),
    findings: guarded('findings', withCheckedCaller(storage.findings, caller), (value, _, { limit }) =>
      findings(value, limit),
    ),
    finding: guarded(
      'finding',
      withCheckedCaller(storage.finding, caller),
      acceptWith(nullable(ReturnedFinding)),
    ),
    prs: guarded('prs', withCheckedCaller(storage.prs, caller), (value, _, { limit }) => prs(value, limit)),
    ready: guarded('ready', storage.ready, acceptWith(ReturnedReadiness)),
  };
};

const EitherForm = t.union([
  t.type({ _tag: t.literal('Right'), right: t.unknown }),
  t.type({ _tag: t.literal('Left'), left: t.unknown }),
]);

const ReturnedReadiness = t.union([
  t.undefined,
  t.type({ _tag: t.literal('SchemaNewer'), unknown: t.readonlyArray(t.string) }),
  t.type({ _tag: t.literal('WorkersAway'), workers: t.readonlyArray(t.string) }),
]);

const nothing = (): E.Either<never, void> => E.right(undefined);

const failed = (cause: string): E.Either<StorageError, never> =>
  E.left({ _tag: 'StorageFailed', cause: new Error(cause) });

const unavailable = (cause: string): E.Either<StorageError, never> =>
  E.left({ _tag: 'StorageUnavailable', cause });

/** What a read tells of the caller is logged, so it is looked at first. */
const withCheckedCaller =
  <Rest extends readonly unknown[], Err, A>(
    read: (credentials: PresentedCredentials, ...rest: Rest) => TaskEither<Err, A>,
    accept: Accept<t.TypeOf<typeof ReturnedCaller>>,
  ) =>
  ({ onCaller, ...credentials }: PresentedCredentials, ...rest: Rest): TaskEither<Err, A> =>
    read(
      {
        ...credentials,
        onCaller: (given) => {
          const caller = accept(given);
          if (E.isRight(caller)) onCaller?.(caller.right);
        },
      },
      ...rest,
    );
