import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { ApiTokenProfile, UserProfile, UserRecord } from '../../accounts/account-records.js';
import type { Storage } from '../../accounts/account-storage.js';
import type { StorageCall } from '../../accounts/storage-calls.js';
import { FixDraftRecord, PullRequestRecord, RepoRecord, ScanRecord } from '../../api/row-records.js';
import type { Found, Range, Slice, StorageError } from '../../api/storage-port.js';
import { settledWithin } from '../../common/concurrency.js';
import type { Log } from '../../common/log.js';
import { nullable } from '../../contract/codecs/combinators.js';
import { decode, describe, type Problem, problem } from '../../contract/codecs/problem.js';
import { Count, Identifier } from '../../contract/codecs/text-and-numbers.js';
import { Timestamp } from '../../contract/codecs/timestamp.js';
import { settledCall } from '../settled-call.js';
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
  const close = (made: unknown): Promise<void> => closed(made, context.log, limits.toClose);
  const making = (async () => ({ value: typeof given === 'function' ? await given(context) : given }))();
  let made: Awaited<typeof making> | null;
  try {
    made = await settledWithin(limits.toOpen, () => making);
  } catch (cause) {
    return E.left([`the function that makes the storage failed: ${reasonOf(cause)}`]);
  }
  if (made === null) {
    // What it opens after all is not needed any more.
    making.then(
      ({ value }) => close(value),
      () => {},
    );
    const seconds = limits.toOpen / 1000;
    return E.left([`the function that makes the storage did not resolve within ${seconds} seconds`]);
  }
  const { value } = made;
  try {
    const storage = isObject(value) && 'storage' in value ? value.storage : value;
    const closer = isObject(value) ? value.close : undefined;
    const canClose = closer === undefined || typeof closer === 'function';
    if (isStorage(storage) && canClose)
      return E.right({ storage: guardedStorage(storage, limits.toAnswer), close: () => close(value) });
    await close(value);
    return E.left([...storageProblems(storage), ...(canClose ? [] : ['close: expected a function'])]);
  } catch (cause) {
    return E.left([`the storage cannot be read: ${reasonOf(cause)}`]);
  }
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

/** Closes what was made, if it can be closed. */
const closed = async (made: unknown, log: Log, timeLimit: number): Promise<void> => {
  try {
    const close = isObject(made) ? made.close : undefined;
    if (typeof close !== 'function') return;
    const settled = await settledWithin(timeLimit, async () => {
      await close.call(made);
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
  const missing: string[] = [];
  const wrong: string[] = [];
  for (const name of Object.keys(ownErrors)) {
    const operation: unknown = Reflect.get(value, name);
    if (operation === undefined) missing.push(name);
    else if (typeof operation !== 'function')
      wrong.push(`${name}: expected a function, got ${shown(operation)}`);
  }
  if (missing.length > 0) wrong.unshift(`these operations of the storage are missing: ${missing.join(', ')}`);
  return wrong;
};

const shown = (value: unknown): string => (typeof value === 'function' ? 'a function' : describe(value));

/**
 * A storage that answers as the given one does, where that one keeps to the port. What it returns is accepted
 * by the codecs of the records. Anything else is an error: `RecordBroken` for a broken row,
 * `StorageUnavailable` for an operation that does not settle within `timeLimit` milliseconds, and
 * `StorageFailed` for one that throws, rejects, or resolves to something else than an `Either` of the port.
 */
const guardedStorage = (storage: Storage, timeLimit: number): Storage => {
  const guarded =
    <Args extends readonly unknown[], Err, A>(
      name: StorageCall,
      call: (...args: Args) => Promise<E.Either<Err, A>>,
      accept: (value: unknown, ...args: Args) => E.Either<readonly Problem[], A>,
    ) =>
    async (...args: Args): Promise<E.Either<Err | StorageError, A>> => {
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

  return {
    caller: guarded('caller', storage.caller, accepting(GivenResolvedCaller)),
    userByEmail: guarded('userByEmail', storage.userByEmail, accepting(nullable(UserRecord))),
    user: guarded('user', storage.user, accepting(nullable(UserProfile))),
    signUp: guarded('signUp', storage.signUp, nothing),
    changePassword: guarded('changePassword', storage.changePassword, accepting(t.boolean)),
    deleteAccount: guarded('deleteAccount', storage.deleteAccount, accepting(t.boolean)),
    startSession: guarded('startSession', storage.startSession, nothing),
    endSession: guarded('endSession', storage.endSession, nothing),
    apiTokens: guarded('apiTokens', storage.apiTokens, accepting(t.readonlyArray(ApiTokenProfile))),
    addApiToken: guarded('addApiToken', storage.addApiToken, nothing),
    revokeApiToken: guarded('revokeApiToken', storage.revokeApiToken, accepting(t.boolean)),
    repos: guarded('repos', storage.repos, found(t.readonlyArray(GivenRepo))),
    findings: guarded('findings', storage.findings, slice(FixDraftRecord)),
    finding: guarded('finding', storage.finding, found(GivenFinding)),
    prs: guarded('prs', storage.prs, slice(GivenPullRequest)),
    ready: guarded('ready', storage.ready, accepting(GivenReadiness)),
  };
};

const GivenReadiness = t.union([
  t.undefined,
  t.type({ _tag: t.literal('SchemaNewer'), unknown: t.readonlyArray(t.string) }),
  t.type({ _tag: t.literal('ReadOnly') }),
  t.type({ _tag: t.literal('WorkersAway'), workers: t.readonlyArray(t.string) }),
]);

const GivenCaller = t.strict({ userId: Identifier }, 'caller');

const GivenResolvedCaller = t.strict({ userId: Identifier, sessionExpiresAt: nullable(Timestamp) }, 'caller');

const GivenRepo = t.strict(
  {
    repo: RepoRecord,
    lastScan: nullable(ScanRecord),
    openPrCount: Count,
    openFixDraftId: nullable(Identifier),
    openAdvisoryCount: Count,
  },
  'repo with what is derived for it',
);

const GivenFinding = nullable(t.strict({ draft: FixDraftRecord, prCount: Count }, 'fix draft and prCount'));

/** A storage may return the whole draft and the whole repository; the rest of both is left out. */
const GivenPullRequest = t.strict(
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
) => Promise<E.Either<infer Err extends Readonly<{ _tag: string }>, unknown>>
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

/** Whether an operation may fail with this error. */
const isErrorOf = (call: StorageCall, error: unknown): boolean => {
  const tag = isObject(error) ? error._tag : undefined;
  const storageErrors = [
    'StorageUnavailable',
    'StorageBusy',
    'StorageReadOnly',
    'StorageFailed',
    'RecordBroken',
  ];
  const tags = [...storageErrors, ...ownErrors[call]];
  return tags.some((each) => each === tag) && (parts[String(tag)]?.is(error) ?? true);
};

const nothing = (): E.Either<never, void> => E.right(undefined);

/** Accepts what a codec accepts. */
const accepting =
  <A>(codec: t.Type<A, unknown>) =>
  (value: unknown): E.Either<readonly Problem[], A> =>
    decode(codec, value);

const Unchanged = t.strict({ caller: GivenCaller, unchanged: t.literal(true) }, 'unchanged rows');

/** Accepts what a read finds. */
const found = <Rows>(rows: t.Type<Rows, unknown>) => {
  const FoundRows = t.strict({ caller: GivenCaller, version: nullable(t.string), rows }, 'found rows');
  return (value: unknown): E.Either<readonly Problem[], Found<Rows>> =>
    isObject(value) && 'unchanged' in value ? decode(Unchanged, value) : decode(FoundRows, value);
};

const Total = t.refinement(t.number, Count.is, 'a number of rows');

/** Accepts some rows of a list with their total, if they are not more than were asked for. */
const slice = <A>(row: t.Type<A, unknown>) => {
  const accept = found(t.strict({ rows: t.readonlyArray(row), total: Total }, 'rows and their total'));
  return (value: unknown, _: unknown, { limit }: Range): E.Either<readonly Problem[], Found<Slice<A>>> => {
    const accepted = accept(value);
    if (E.isLeft(accepted) || 'unchanged' in accepted.right) return accepted;
    const { length } = accepted.right.rows.rows;
    return length <= limit
      ? accepted
      : E.left([problem(['rows'], `expected at most ${limit} rows, got ${length}`)]);
  };
};
