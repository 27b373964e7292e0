import * as E from '#fp-ts/Either';
import type { NotReady, Ready, StorageError } from '../api/storage-port.js';
import type { Clock } from '../common/clock.js';
import { settledWithin } from '../common/concurrency.js';
import type { Log, LogLevel } from '../common/log.js';
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
type CallFailure = NotReady | Readonly<{ _tag: 'Unexpected'; cause: unknown }>;

/** Told of every call when it begins; the returned function of its end: the failure, or null. */
type ObserveCalls = (call: StorageCall) => (failure: CallFailure | null) => void;

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

/**
 * A storage as a server uses it: it has to be ready within a time, its outages are logged, and its calls
 * observed, if anybody does.
 */
export const watchedStorage = (
  storage: Storage,
  {
    log,
    elapsed,
    readyTimeout = 1000,
    observe = null,
  }: Readonly<{
    log: Log;
    /** A monotonic clock in milliseconds. */
    elapsed: Clock;
    /** How long `ready` may take, in milliseconds. */
    readyTimeout?: number;
    observe?: ObserveCalls | null;
  }>,
): Storage => {
  const ready = readyWithin(readyTimeout, storage);
  const logged = observedStorage({ ...storage, ready }, logStorageOutages(log, elapsed));
  return observe === null ? logged : observedStorage(logged, observe);
};

/** `ready` of a storage that fails when it is late. The storage is not asked again before it has answered. */
const readyWithin = (timeLimit: number, storage: Pick<Storage, 'ready'>): Storage['ready'] => {
  let pending: Promise<Ready> | null = null;
  const ask = async (): Promise<Ready> => {
    try {
      return await storage.ready();
    } finally {
      pending = null;
    }
  };
  return async () => {
    pending ??= ask();
    const waiting = pending;
    const cause = `there was no answer within ${timeLimit} ms`;
    return (await settledWithin(timeLimit, () => waiting)) ?? E.left({ _tag: 'StorageUnavailable', cause });
  };
};

/** How often failures of the storage are logged at most, in milliseconds. */
const logInterval = 1000;

/** The calls that change something: a storage that is read-only refuses them alone. */
const changes: ReadonlySet<StorageCall> = new Set([
  'signUp',
  'changePassword',
  'deleteAccount',
  'startSession',
  'endSession',
  'addApiToken',
  'revokeApiToken',
]);

/**
 * Logs failures of the storage with their cause, a line a second at most, and the first success of the same
 * kind of call afterwards: a read, a change, or the question whether it is ready. `elapsed`: a monotonic
 * clock in milliseconds.
 */
const logStorageOutages = (log: Log, elapsed: Clock): ObserveCalls => {
  const logged = new Map<string, number>();
  const outages = new Set<string>();
  return (call) => (failure) => {
    const kind = call === 'ready' ? 'readiness' : changes.has(call) ? 'changes' : 'reads';
    if (failure === null) {
      if (outages.delete(kind)) log('info', 'storage.recovered', { kind });
      return;
    }
    const level = levels[failure._tag];
    const now = elapsed();
    if (level === undefined || now - (logged.get(kind) ?? -logInterval) < logInterval) return;
    logged.set(kind, now);
    outages.add(kind);
    const { _tag: error, ...facts } = failure;
    const cause = 'cause' in failure && textOf(failure.cause, level);
    log(level, 'storage.failed', { kind, error, call, ...facts, ...(cause && { cause }) });
  };
};

const textOf = (cause: unknown, level: LogLevel): string =>
  (level === 'error' && cause instanceof Error && cause.stack) || String(cause);

/** The level of a failure of the storage; others are logged for each request. */
const levels: Readonly<Partial<Record<CallFailure['_tag'], LogLevel>>> = {
  StorageUnavailable: 'warn',
  StorageBusy: 'warn',
  StorageReadOnly: 'warn',
  StorageFailed: 'error',
  SchemaOlder: 'error',
  SchemaNewer: 'error',
};
