import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import type { TaskEither } from '#fp-ts/TaskEither';
import { nullable } from '../../codecs/nullable.js';
import { Count } from '../../codecs/numbers.js';
import { mismatch, type Problem, problem, problemsOf } from '../../codecs/problem.js';
import { Identifier } from '../../codecs/text.js';
import { ApiTokenProfile } from '../../records/api-token.js';
import { FixDraftRecord } from '../../records/fix-draft.js';
import { PullRequestRecord } from '../../records/pull-request.js';
import { RepoRecord } from '../../records/repo.js';
import { ScanRecord } from '../../records/scan.js';
import { UserProfile, UserRecord } from '../../records/user.js';
import type { StorageCall } from '../each-call.js';
import type { PresentedCredentials, Slice, Storage, StorageError } from '../port.js';

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

/** What every operation resolves to. */
export const EitherForm = t.union([
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

// What the operations of a storage return, made of the codecs of the records.

const ReturnedCaller = t.strict({ userId: Identifier }, 'caller');

const ReturnedUser = nullable(UserRecord);

const ReturnedProfile = nullable(UserProfile);

const ReturnedTokens = t.readonlyArray(ApiTokenProfile, 'API tokens');

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

const ReturnedFinding = t.strict(
  { draft: FixDraftRecord, prCount: Count },
  'fix draft with the number of its pull requests',
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
export const ownErrors: OwnErrors = {
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

const errorsOfAll: ReadonlySet<unknown> = new Set<StorageError['_tag']>([
  'StorageUnavailable',
  'StorageFailed',
  'RecordBroken',
]);

/** Whether an operation may fail with this error. */
const isErrorOf = (call: StorageCall, error: unknown): boolean => {
  const tag: unknown = Object(error)._tag;
  const isNamed = errorsOfAll.has(tag) || ownErrors[call].some((own) => own === tag);
  return isNamed && (parts[String(tag)]?.is(error) ?? true);
};

/** Accepts a value that a storage has returned, or says what is wrong with it. */
type Accept<A> = (value: unknown) => E.Either<readonly Problem[], A>;

/**
 * Accepts what a codec accepts, as a value that is frozen to its depths: what has been accepted and is kept
 * must not change afterwards. A frozen row that has been accepted is not looked at again.
 */
const acceptWith = <A>(codec: t.Type<A, unknown>): Accept<A> => {
  const known = new WeakMap<object, E.Either<never, A>>();
  return (value) => {
    const isKept = typeof value === 'object' && value !== null && Object.isFrozen(value);
    const accepted = isKept ? known.get(value) : undefined;
    if (accepted !== undefined) return accepted;
    const decoded = codec.decode(value);
    if (E.isLeft(decoded)) return E.left(problemsOf(decoded.left));
    const frozen = E.right(isDeeplyFrozen(decoded.right) ? decoded.right : frozenCopy(decoded.right));
    if (isKept) known.set(value, frozen);
    return frozen;
  };
};

/** Accepts a list of rows. The same frozen list is accepted as the same list. */
const acceptList = <A>(acceptRow: Accept<A>): Accept<readonly A[]> => {
  const known = new WeakMap<object, E.Either<never, readonly A[]>>();
  return (value) => {
    if (!Array.isArray(value)) return E.left([mismatch([], 'an array of rows', typeof value)]);
    const accepted = known.get(value);
    if (accepted !== undefined) return accepted;
    const rows: A[] = [];
    // Not `map`, which would leave the holes of a sparse array out.
    for (let index = 0; index < value.length; index += 1) {
      const row = acceptRow(value[index]);
      if (E.isLeft(row)) return E.left(below(String(index), row.left));
      rows.push(row.right);
    }
    const list = E.right(Object.freeze(rows));
    if (Object.isFrozen(value)) known.set(value, list);
    return list;
  };
};

/** Accepts some rows of a list with their total. */
const acceptSlice = <A>(
  acceptRow: Accept<A>,
): ((value: unknown, limit: number) => E.Either<readonly Problem[], Slice<A>>) => {
  const acceptRows = acceptList(acceptRow);
  const known = new WeakMap<object, Slice<A>>();
  return (value, limit) => {
    if (!SliceForm.is(value)) return E.left([mismatch([], SliceForm.name, typeof value)]);
    const { rows: given, total } = value;
    if (!Number.isSafeInteger(total) || total < 0) {
      return E.left([mismatch(['total'], 'a number of rows', String(total))]);
    }
    const rows = acceptRows(given);
    if (E.isLeft(rows)) return E.left(below('rows', rows.left));
    if (rows.right.length > limit) {
      return E.left([problem(['rows'], `expected at most ${limit} rows, got ${rows.right.length}`)]);
    }
    const slice = known.get(value) ?? Object.freeze({ rows: rows.right, total });
    // Only a frozen slice of frozen rows stays what it is.
    if (Object.isFrozen(value) && Object.isFrozen(given)) known.set(value, slice);
    return E.right(slice);
  };
};

const SliceForm = t.type({ rows: t.unknown, total: t.number }, 'rows and their total');

const below = (key: string, problems: readonly Problem[]): readonly Problem[] =>
  problems.map((each) => ({ ...each, path: [key, ...each.path] }));

const isDeeplyFrozen = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen));

const frozenCopy = <A>(value: A): A => {
  const copy = structuredClone(value);
  freeze(copy);
  return copy;
};

const freeze = (value: unknown): void => {
  if (typeof value !== 'object' || value === null) return;
  Object.freeze(value);
  Object.values(value).forEach(freeze);
};

/** What a task resolves to; null if it has not settled within so many milliseconds. Rejects as it does. */
export const settledWithin = async <A>(timeLimit: number, task: () => Promise<A>): Promise<A | null> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, timeLimit, null);
  });
  try {
    return await Promise.race([task(), late]);
  } finally {
    clearTimeout(timer);
  }
};
