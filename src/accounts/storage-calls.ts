import * as E from '#fp-ts/Either';
import type { NotReady, StorageError } from '../api/storage-port.js';
import type { Storage } from './account-storage.js';

/** The name of a call of the port. */
export type StorageCall = keyof Storage;

/** Every error of the port. */
type AnyError = {
  [Call in StorageCall]: Storage[Call] extends (...args: never[]) => Promise<E.Either<infer Err, unknown>>
    ? Err
    : never;
}[StorageCall];

/** Makes another call of a call, which may fail for reasons of its own. */
type WrapCall = <Args extends readonly unknown[], Err extends AnyError, A>(
  call: (...args: Args) => Promise<E.Either<Err, A>>,
  name: StorageCall,
) => (...args: Args) => Promise<E.Either<Err | StorageError, A>>;

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

/** Why a call failed for a reason that is the storage's own; `Unexpected`: it threw. */
export type CallFailure = NotReady | Readonly<{ _tag: 'Unexpected'; cause: unknown }>;

/** Told of every call when it begins; the returned function of its end: the failure, or null. */
export type ObserveCalls = (call: StorageCall) => (failure: CallFailure | null) => void;

/** A storage whose calls are observed. It answers as the given one does. */
export const observedStorage = (storage: Storage, observe: ObserveCalls): Storage =>
  eachCall(storage, (call, name) => async (...args) => {
    const end = observe(name);
    let result: Awaited<ReturnType<typeof call>>;
    try {
      result = await call(...args);
    } catch (cause) {
      end({ _tag: 'Unexpected', cause });
      throw cause;
    }
    end(E.isLeft(result) ? failureOf(result.left) : null);
    return result;
  });

/** What the storage refuses for good reason, such as an unknown session, is an answer and not a failure. */
const failureOf = (error: AnyError): CallFailure | null => {
  switch (error._tag) {
    case 'StorageUnavailable':
    case 'StorageBusy':
    case 'StorageReadOnly':
    case 'StorageFailed':
    case 'RecordBroken':
    case 'SchemaOlder':
    case 'SchemaNewer':
      return error;
    default:
      return null;
  }
};
