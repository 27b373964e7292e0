import * as E from '#fp-ts/Either';
import { type AnyError, eachCall, type StorageCall } from './each-call.js';
import type { NotReady, Storage } from './port.js';

/** Why a call failed for a reason that is the storage's own; `Unexpected`: it threw. */
export type CallFailure = NotReady | Readonly<{ _tag: 'Unexpected'; cause: unknown }>;

/** Told of every call when it begins; the returned function of its end: the failure, or null. */
export type ObserveCalls = (call: StorageCall) => (failure: CallFailure | null) => void;

/** A storage whose calls are observed. It answers as the given one does. */
export const observedStorage = (storage: Storage, observe: ObserveCalls): Storage =>
  eachCall(storage, (call, name) => (...args) => async () => {
    const end = observe(name);
    let result: Awaited<ReturnType<ReturnType<typeof call>>>;
    try {
      result = await call(...args)();
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
    case 'StorageFailed':
    case 'RecordBroken':
    case 'SchemaOlder':
    case 'SchemaNewer':
      return error;
    default:
      return null;
  }
};
