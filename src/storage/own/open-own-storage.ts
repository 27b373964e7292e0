import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import type { TaskEither } from '#fp-ts/TaskEither';
import { settledWithin } from '../../common/concurrency.js';
import type { Log } from '../../common/log.js';
import { nullable } from '../../contract/codecs/combinators.js';
import { describe, mismatch, type Problem, problem, problemsOf } from '../../contract/codecs/problem.js';
import { Count, Identifier } from '../../contract/codecs/text-and-numbers.js';
import { ApiTokenProfile, UserProfile, UserRecord } from '../../records/account-records.js';
import { FixDraftRecord, PullRequestRecord, RepoRecord, ScanRecord } from '../../records/row-records.js';
import type { PresentedCredentials, Range, Slice, Storage, StorageError } from '../port.js';
import { settledCall } from '../settled-call.js';
import type { StorageCall } from '../storage-calls.js';
import type { StorageContext } from './index.js';

/** A storage that keeps to the port, whatever the author has written. `close` never rejects. */
type OwnStorage = Readonly<{ storage: Storage; close: () => Promise<void> }>;

/** How long a storage may take, in milliseconds. */
type OwnStorageLimits = Readonly<{ toOpen: number; toAnswer: number; toClose: number }>;

const defaultLimits: OwnStorageLimits = { toOpen: 10_000, toAnswer: 5_000, toClose: 5_000 };

/**
 * Opens a storage that somebody else has written: a function that makes one, `{ storage, close }`, or the
 * storage itself. `left`: one line for each reason why it cannot be used; nothing is left open then.
 */
export const openOwnStorage = async (
  given: unknown,
  context: StorageContext,
  limits: OwnStorageLimits = defaultLimits,
): Promise<E.Either<readonly string[], OwnStorage>> => {
  const { log } = context;
  let made: Readonly<{ value: unknown }> | null;
  const making = async () => ({ value: typeof given === 'function' ? await given(context) : given });
  const task = making();
  try {
    made = await settledWithin(limits.toOpen, () => task);
  } catch (cause) {
    return E.left([`the function that makes the storage failed: ${reasonOf(cause)}`]);
  }
  if (made === null) {
    // What it opens after all is not needed any more.
    task.then(
      ({ value }) => closed(closerOf(value), log, limits.toClose),
      () => {},
    );
    return E.left([
      `the function that makes the storage did not resolve within ${limits.toOpen / 1000} seconds`,
    ]);
  }
  try {
    return await checked(made.value, log, limits);
  } catch (cause) {
    return E.left([`the storage cannot be read: ${reasonOf(cause)}`]);
  }
};

/** What was made, if it is a storage. Rejects if a getter throws. */
const checked = async (
  value: unknown,
  log: Log,
  limits: OwnStorageLimits,
): Promise<E.Either<readonly string[], OwnStorage>> => {
  const close = closerOf(value);
  const inner = isObject(value) && 'storage' in value ? value.storage : value;
  const wrongClose = isObject(value) && value.close !== undefined && close === null;
  if (!isStorage(inner) || wrongClose) {
    await closed(close, log, limits.toClose);
    return E.left([...storageProblems(inner), ...(wrongClose ? ['close: expected a function'] : [])]);
  }
  return E.right({
    storage: guardedStorage(inner, limits.toAnswer),
    close: () => closed(close, log, limits.toClose),
  });
};

/** An error in one line, with the place in the author's code where it was thrown. */
export const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause);
  const place = cause.stack?.split('\n').find((line) => /^\s+at (?!.*node:)/.test(line));
  const [message = ''] = String(cause).split('\n');
  return place === undefined ? message : `${message} (${place.trim()})`;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Whether a value has the operations of a storage; whether they keep to the port is checked at each call. */
const isStorage = (value: unknown): value is Storage => storageProblems(value).length === 0;

const closerOf = (value: unknown): (() => unknown) | null => {
  const close = isObject(value) ? value.close : undefined;
  return typeof close === 'function' ? () => close.call(value) : null;
};

const closed = async (close: (() => unknown) | null, log: Log, timeLimit: number): Promise<void> => {
  if (close === null) return;
  try {
    const settled = await settledWithin(timeLimit, async () => {
      await close();
      return true;
    });
    if (settled === null) log('warn', 'the storage did not close in time', { milliseconds: timeLimit });
  } catch (cause) {
    log('error', 'the storage could not be closed', { cause: reasonOf(cause) });
  }
};

/** Why a value is no storage: one line for each reason. What its operations do shows when they are used. */
const storageProblems = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) {
    return [`expected a storage, an object of functions, got ${shown(value)}`];
  }
  const given = new Map(Object.keys(ownErrors).map((name) => [name, Reflect.get(value, name)]));
  const missing = [...given].filter(([, operation]) => operation === undefined).map(([name]) => name);
  const wrong = [...given].filter(
    ([, operation]) => operation !== undefined && typeof operation !== 'function',
  );
  return [
    ...(missing.length === 0 ? [] : [`these operations of the storage are missing: ${missing.join(', ')}`]),
    ...wrong.map(([name, operation]) => `${name}: expected a function, got ${shown(operation)}`),
  ];
};

const shown = (value: unknown): string => (typeof value === 'function' ? 'a function' : describe(value));

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
      const settled = await settledCall(name, call, args, timeLimit);
      if (E.isLeft(settled)) {
        const { _tag, cause } = settled.left;
        return E.left({ _tag: _tag === 'Late' ? 'StorageUnavailable' : 'StorageFailed', cause });
      }
      const result = settled.right;
      if (E.isLeft(result)) {
        if (isErrorOf(name, result.left)) return result;
        const cause = new Error(`the operation \`${name}\` failed with an error that it must not have`);
        return E.left({ _tag: 'StorageFailed', cause });
      }
      try {
        const accepted = accept(result.right, ...args);
        if (E.isRight(accepted)) return accepted;
        return E.left({ _tag: 'RecordBroken', where: name, problems: accepted.left });
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
    userByEmail: guarded('userByEmail', storage.userByEmail, acceptWith(nullable(UserRecord))),
    user: guarded('user', storage.user, acceptWith(nullable(UserProfile))),
    signUp: guarded('signUp', storage.signUp, nothing),
    changePassword: guarded('changePassword', storage.changePassword, boolean),
    deleteAccount: guarded('deleteAccount', storage.deleteAccount, boolean),
    startSession: guarded('startSession', storage.startSession, nothing),
    endSession: guarded('endSession', storage.endSession, nothing),
    apiTokens: guarded('apiTokens', storage.apiTokens, acceptWith(t.readonlyArray(ApiTokenProfile))),
    addApiToken: guarded('addApiToken', storage.addApiToken, nothing),
    revokeApiToken: guarded('revokeApiToken', storage.revokeApiToken, boolean),
    repos: guarded('repos', withCheckedCaller(storage.repos, caller), acceptList(acceptWith(ReturnedRepo))),
    findings: guarded('findings', withCheckedCaller(storage.findings, caller), findings),
    finding: guarded('finding', withCheckedCaller(storage.finding, caller), acceptWith(ReturnedFinding)),
    prs: guarded('prs', withCheckedCaller(storage.prs, caller), prs),
    ready: guarded('ready', storage.ready, acceptWith(ReturnedReadiness)),
  };
};

const ReturnedReadiness = t.union([
  t.undefined,
  t.type({ _tag: t.literal('SchemaNewer'), unknown: t.readonlyArray(t.string) }),
  t.type({ _tag: t.literal('WorkersAway'), workers: t.readonlyArray(t.string) }),
]);

const nothing = (): E.Either<never, void> => E.right(undefined);

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

const ReturnedCaller = t.strict({ userId: Identifier }, 'caller');

const ReturnedRepo = t.strict(
  {
    repo: RepoRecord,
    lastScan: nullable(ScanRecord),
    openPrCount: Count,
    openFixDraftId: nullable(Identifier),
    openAdvisoryCount: Count,
  },
  'repo with what is derived for it',
);

const ReturnedFinding = nullable(
  t.strict({ draft: FixDraftRecord, prCount: Count }, 'fix draft and prCount'),
);

/** A storage may return the whole draft and the whole repository; the rest of both is left out. */
const ReturnedPullRequest = t.strict(
  {
    pullRequest: PullRequestRecord,
    draft: t.strict({
      repoId: FixDraftRecord.props.repoId,
      advisoryId: FixDraftRecord.props.advisoryId,
      package: FixDraftRecord.props.package,
    }),
    repo: t.strict({ owner: RepoRecord.props.owner, repo: RepoRecord.props.repo }),
  },
  'pull request with its draft and its repository',
);

type ErrorOf<Call extends StorageCall> = Storage[Call] extends (
  ...args: never[]
) => TaskEither<infer Err extends Readonly<{ _tag: string }>, unknown>
  ? Err['_tag']
  : never;

type OwnErrors = { readonly [Call in StorageCall]: readonly Exclude<ErrorOf<Call>, StorageError['_tag']>[] };

/** The operations of the port, and how each may fail besides the errors that all of them have. */
const ownErrors: OwnErrors = {
  ready: ['SchemaOlder', 'SchemaNewer'],
  caller: ['Unauthorized'],
  userByEmail: [],
  user: [],
  signUp: ['EmailTaken'],
  changePassword: ['AccountReadOnly'],
  deleteAccount: ['AccountReadOnly'],
  startSession: [],
  endSession: [],
  apiTokens: [],
  addApiToken: ['TooManyApiTokens', 'Unauthorized'],
  revokeApiToken: [],
  repos: ['Unauthorized'],
  findings: ['Unauthorized'],
  finding: ['Unauthorized'],
  prs: ['Unauthorized'],
};

const names = t.readonlyArray(t.string);

/** The parts of errors that are read when they are logged. What else is in one is as the author made it. */
const parts: Readonly<Record<string, t.Mixed>> = {
  RecordBroken: t.type({ problems: t.readonlyArray(t.type({ path: names, message: t.string })) }),
  SchemaOlder: t.type({ missing: names }),
  SchemaNewer: t.type({ unknown: names }),
};

const errorsOfAll: readonly unknown[] = ['StorageUnavailable', 'StorageFailed', 'RecordBroken'];

/** Whether an operation may fail with this error. */
const isErrorOf = (call: StorageCall, error: unknown): boolean => {
  const tag: unknown = Object(error)._tag;
  const isNamed = errorsOfAll.includes(tag) || ownErrors[call].some((own) => own === tag);
  return isNamed && (parts[String(tag)]?.is(error) ?? true);
};

/** Accepts a value that a storage has returned, or says what is wrong with it. */
type Accept<A> = (value: unknown) => E.Either<readonly Problem[], A>;

/** Accepts a frozen value that it has accepted before as the same value, without looking at it again. */
const remembering = <A>(accept: Accept<A>): Accept<A> => {
  const known = new WeakMap<object, E.Either<readonly Problem[], A>>();
  return (value) => {
    const isKept = typeof value === 'object' && value !== null && Object.isFrozen(value);
    const before = isKept ? known.get(value) : undefined;
    if (before !== undefined) return before;
    const accepted = accept(value);
    if (isKept && E.isRight(accepted)) known.set(value, accepted);
    return accepted;
  };
};

/**
 * Accepts what a codec accepts, as a value that is frozen to its depths: what has been accepted and is kept
 * must not change afterwards.
 */
const acceptWith = <A>(codec: t.Type<A, unknown>): Accept<A> =>
  remembering((value) => {
    const decoded = codec.decode(value);
    if (E.isLeft(decoded)) return E.left(problemsOf(decoded.left));
    return E.right(isDeeplyFrozen(decoded.right) ? decoded.right : frozen(structuredClone(decoded.right)));
  });

/** Accepts a list of rows. */
const acceptList = <A>(acceptRow: Accept<A>): Accept<readonly A[]> =>
  remembering((value) => {
    if (!Array.isArray(value)) return E.left([mismatch([], 'an array of rows', typeof value)]);
    const rows: A[] = [];
    // Not `map`, which would leave the holes of a sparse array out.
    for (let index = 0; index < value.length; index += 1) {
      const row = acceptRow(value[index]);
      if (E.isLeft(row)) return E.left(below(String(index), row.left));
      rows.push(row.right);
    }
    return E.right(Object.freeze(rows));
  });

/** Accepts some rows of a list with their total. */
const acceptSlice = <A>(
  acceptRow: Accept<A>,
): ((value: unknown, _: unknown, range: Range) => E.Either<readonly Problem[], Slice<A>>) => {
  const acceptRows = acceptList(acceptRow);
  const accept: Accept<Slice<A>> = (value) => {
    if (!SliceForm.is(value)) return E.left([mismatch([], SliceForm.name, typeof value)]);
    const { total } = value;
    if (!Number.isSafeInteger(total) || total < 0)
      return E.left([mismatch(['total'], 'a number of rows', String(total))]);
    const rows = acceptRows(value.rows);
    return E.isLeft(rows)
      ? E.left(below('rows', rows.left))
      : E.right(Object.freeze({ rows: rows.right, total }));
  };
  const acceptFrozen = remembering(accept);
  return (value, _, { limit }) => {
    // Only a frozen slice of frozen rows stays what it is.
    const slice = (Object.isFrozen(Object(value).rows) ? acceptFrozen : accept)(value);
    if (E.isLeft(slice) || slice.right.rows.length <= limit) return slice;
    return E.left([problem(['rows'], `expected at most ${limit} rows, got ${slice.right.rows.length}`)]);
  };
};

const SliceForm = t.type({ rows: t.unknown, total: t.number }, 'rows and their total');

const below = (key: string, problems: readonly Problem[]): readonly Problem[] =>
  problems.map((each) => ({ ...each, path: [key, ...each.path] }));

const isDeeplyFrozen = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen));

const frozen = <A>(value: A): A => {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
};
