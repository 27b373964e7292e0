import type { TaskEither } from '#fp-ts/TaskEither';
import type { Storage, StorageError } from './port.js';

/** The name of a call of the port. */
export type StorageCall = keyof Storage;

/** Every error of the port. */
export type AnyError = {
  [Call in StorageCall]: Storage[Call] extends (...args: never[]) => TaskEither<infer Err, unknown>
    ? Err
    : never;
}[StorageCall];

/** Makes another call of a call, which may fail for reasons of its own. */
type WrapCall = <Args extends readonly unknown[], Err extends AnyError, A>(
  call: (...args: Args) => TaskEither<Err, A>,
  name: StorageCall,
) => (...args: Args) => TaskEither<Err | StorageError, A>;

/** A storage each of whose calls is what `wrap` makes of it. */
export const eachCall = (storage: Storage, wrap: WrapCall): Storage => ({
  caller: wrap(storage.caller, 'caller'),
  userByEmail: wrap(storage.userByEmail, 'userByEmail'),
  user: wrap(storage.user, 'user'),
  signUp: wrap(storage.signUp, 'signUp'),
  changePassword: wrap(storage.changePassword, 'changePassword'),
  deleteAccount: wrap(storage.deleteAccount, 'deleteAccount'),
  startSession: wrap(storage.startSession, 'startSession'),
  endSession: wrap(storage.endSession, 'endSession'),
  apiTokens: wrap(storage.apiTokens, 'apiTokens'),
  addApiToken: wrap(storage.addApiToken, 'addApiToken'),
  revokeApiToken: wrap(storage.revokeApiToken, 'revokeApiToken'),
  repos: wrap(storage.repos, 'repos'),
  findings: wrap(storage.findings, 'findings'),
  finding: wrap(storage.finding, 'finding'),
  prs: wrap(storage.prs, 'prs'),
  ready: wrap(storage.ready, 'ready'),
});
