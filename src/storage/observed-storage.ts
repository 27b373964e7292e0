import * as E from '#fp-ts/Either';
import type { TaskEither } from '#fp-ts/TaskEither';
import type { NotReady, Storage } from './port.js';

/** The name of a call of the port. */
export type StorageCall = keyof Storage;

/** Why a call failed for a reason that is the storage's own; `Unexpected`: it threw. */
export type CallFailure = NotReady | Readonly<{ _tag: 'Unexpected'; cause: unknown }>;

/** Told of every call when it begins; the returned function of its end: the failure, or null. */
export type ObserveCalls = (call: StorageCall) => (failure: CallFailure | null) => void;

/** Every error of the port. */
type AnyError = {
  [Call in StorageCall]: Storage[Call] extends (...args: never[]) => TaskEither<infer Err, unknown>
    ? Err
    : never;
}[StorageCall];

/** A storage whose calls are observed. It answers as the given one does. */
export const observedStorage = (storage: Storage, observe: ObserveCalls): Storage => {
  const observed =
    <Args extends readonly unknown[], Err extends AnyError, A>(
      name: StorageCall,
      call: (...args: Args) => TaskEither<Err, A>,
    ) =>
    (...args: Args): TaskEither<Err, A> =>
    async () => {
      const end = observe(name);
      let result: E.Either<Err, A>;
      try {
        result = await call(...args)();
      } catch (cause) {
        end({ _tag: 'Unexpected', cause });
        throw cause;
      }
      end(E.isLeft(result) ? failureOf(result.left) : null);
      return result;
    };
  return {
    caller: observed('caller', storage.caller),
    userByEmail: observed('userByEmail', storage.userByEmail),
    user: observed('user', storage.user),
    signUp: observed('signUp', storage.signUp),
    changePassword: observed('changePassword', storage.changePassword),
    deleteAccount: observed('deleteAccount', storage.deleteAccount),
    startSession: observed('startSession', storage.startSession),
    endSession: observed('endSession', storage.endSession),
    apiTokens: observed('apiTokens', storage.apiTokens),
    addApiToken: observed('addApiToken', storage.addApiToken),
    revokeApiToken: observed('revokeApiToken', storage.revokeApiToken),
    repos: observed('repos', storage.repos),
    findings: observed('findings', storage.findings),
    finding: observed('finding', storage.finding),
    prs: observed('prs', storage.prs),
    ready: observed('ready', storage.ready),
  };
};

/** What the storage refuses for good reason, such as an unknown session, is an answer and not a failure. */
const failureOf = (error: AnyError): CallFailure | null => {
  switch (error._tag) {
    case 'StorageUnavailable':
    case 'StorageFailed':
    case 'RecordBroken':
    case 'SchemaOlder':
    case 'SchemaNewer':
      return error;
    default:
      return null;
  }
};
