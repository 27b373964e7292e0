import * as t from 'io-ts';
import * as TE from '#fp-ts/TaskEither';
import type { Storage, StorageError } from '../storage/port.js';

/** The state of the storage: fine, unavailable (requests get 503) or broken (requests get 500). */
export const StorageState = t.keyof(
  { fine: null, unavailable: null, broken: null },
  'one of fine, unavailable, broken',
);
export type StorageState = t.TypeOf<typeof StorageState>;

/** A storage that fails unless its state is `fine`. A failed call changes nothing. */
export const failingStorage = (storage: Storage, state: () => StorageState): Storage => {
  const unlessFailing =
    <Args extends readonly unknown[], Err, A>(call: (...args: Args) => TE.TaskEither<Err, A>) =>
    (...args: Args): TE.TaskEither<Err | StorageError, A> => {
      const error = errorOf(state());
      return error === null ? call(...args) : TE.left(error);
    };
  return {
    caller: unlessFailing(storage.caller),
    userByEmail: unlessFailing(storage.userByEmail),
    user: unlessFailing(storage.user),
    signUp: unlessFailing(storage.signUp),
    changePassword: unlessFailing(storage.changePassword),
    deleteAccount: unlessFailing(storage.deleteAccount),
    startSession: unlessFailing(storage.startSession),
    endSession: unlessFailing(storage.endSession),
    apiTokens: unlessFailing(storage.apiTokens),
    addApiToken: unlessFailing(storage.addApiToken),
    revokeApiToken: unlessFailing(storage.revokeApiToken),
    repos: unlessFailing(storage.repos),
    findings: unlessFailing(storage.findings),
    finding: unlessFailing(storage.finding),
    prs: unlessFailing(storage.prs),
    ready: unlessFailing(storage.ready),
  };
};

const errorOf = (state: StorageState): StorageError | null => {
  const cause = `the test set the storage to ${state}`;
  if (state === 'unavailable') return { _tag: 'StorageUnavailable', cause };
  return state === 'broken' ? { _tag: 'StorageFailed', cause } : null;
};
