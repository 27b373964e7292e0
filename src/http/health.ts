import type Router from '@koa/router';
import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import type { Log } from '../common/log.js';
import { ServiceUnavailableBody } from '../contract/error-bodies.js';
import type { NotReady, Storage } from '../storage/port.js';
import { failureHead, failureResponse, logFailure } from './operations/failures.js';
import { render } from './operations/rendered.js';
import { type OutgoingResponse, respond } from './response.js';

/**
 * Why the server cannot serve requests, for the operator who asks. The log has the details, which may not be
 * for everyone who can ask.
 */
export const UnreadyReason = t.keyof(
  {
    'the server is shutting down': null,
    'the storage cannot be reached, or does not answer in time': null,
    'the storage fails': null,
    'the schema is older than this version': null,
    'the schema is newer than this version': null,
  },
  'reason',
);
export type UnreadyReason = t.TypeOf<typeof UnreadyReason>;

/** What an operator should know of a server that can serve requests. */
export const ReadyNotice = t.keyof(
  {
    'the schema is newer than this version': null,
    'some workers of the database are away, and the requests of their tenants fail': null,
    'the changed fixtures are invalid; the previous ones are served': null,
  },
  'notice',
);
export type ReadyNotice = t.TypeOf<typeof ReadyNotice>;

/** Whether the server can serve requests. */
export type Readiness =
  | Readonly<{ _tag: 'Ready'; notice: ReadyNotice | null }>
  | Readonly<{ _tag: 'Unready'; reason: UnreadyReason }>;

/** How long the storage counts as ready after it has said so, in milliseconds. */
const validity = 500;

/** What the storage itself does not tell in time. */
const tooSlow: Readiness = {
  _tag: 'Unready',
  reason: 'the storage cannot be reached, or does not answer in time',
};

/**
 * Whether the storage can serve requests. Questions at the same time are one, and for a moment after a good
 * answer there is none, so that however many ask, the storage is asked seldom; whoever asks waits for at most
 * `timeLimit` milliseconds. Each change is logged once, unless it is the begin or the end of an outage:
 * whoever watches the storage logs that.
 */
export const readiness = (
  storage: Pick<Storage, 'ready'>,
  log: Log,
  timeLimit: number,
): (() => Promise<Readiness>) => {
  let known: Promise<Readiness> | null = null;
  let state = 'Ready';
  const change = (next: string, logIt: () => void): void => {
    if (next !== state) logIt();
    state = next;
  };
  const forget = (): void => {
    known = null;
  };

  const ask = async (): Promise<Readiness> => {
    const ready = await storage.ready()();
    if (E.isLeft(ready)) {
      forget();
      change(stateOf(ready.left), () => logNotReady(log, ready.left));
      return { _tag: 'Unready', reason: reasonOf(ready.left) };
    }
    setTimeout(forget, validity).unref();
    if (ready.right === undefined) {
      const wasOutage = state === 'StorageUnavailable' || state === 'StorageFailed';
      change('Ready', () => wasOutage || log('info', 'ready again'));
      return { _tag: 'Ready', notice: null };
    }
    if (ready.right._tag === 'WorkersAway') {
      const { workers } = ready.right;
      const notice = 'some workers of the database are away, and the requests of their tenants fail';
      change(['Ready', 'without', ...workers].join(' '), () =>
        log('warn', `ready, but ${notice}`, { workers }),
      );
      return { _tag: 'Ready', notice };
    }
    const { unknown } = ready.right;
    const notice = 'the schema is newer than this version';
    change(['Ready', ...unknown].join(' '), () => log('warn', `ready, but ${notice}`, { unknown }));
    return { _tag: 'Ready', notice };
  };
  return () => {
    known ??= ask().catch((error: unknown) => {
      forget();
      throw error;
    });
    return within(timeLimit, known, () => {
      const { reason } = tooSlow;
      change('TooSlow', () => log('warn', `not ready: ${reason}`, { ms: timeLimit }));
      return tooSlow;
    });
  };
};

/** Settles as `work` does or, if that takes too long, with what `otherwise` returns. */
const within = <A>(milliseconds: number, work: Promise<A>, otherwise: () => A): Promise<A> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(otherwise()), milliseconds);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });

const reasonOf = (error: NotReady): UnreadyReason => {
  switch (error._tag) {
    case 'StorageUnavailable':
      return 'the storage cannot be reached, or does not answer in time';
    case 'StorageFailed':
    case 'RecordBroken':
      return 'the storage fails';
    case 'SchemaOlder':
      return 'the schema is older than this version';
    case 'SchemaNewer':
      return 'the schema is newer than this version';
  }
};

/** The same for two errors between which nothing has changed: causes differ in details from time to time. */
const stateOf = (error: NotReady): string => {
  switch (error._tag) {
    case 'SchemaOlder':
      return [error._tag, ...error.missing].join(' ');
    case 'SchemaNewer':
      return [error._tag, ...error.unknown].join(' ');
    default:
      return error._tag;
  }
};

const logNotReady = (log: Log, error: NotReady): void => {
  switch (error._tag) {
    case 'SchemaOlder':
      log('error', `not ready: ${reasonOf(error)}`, { missing: error.missing });
      return;
    case 'SchemaNewer':
      log('error', `not ready: ${reasonOf(error)}`, { unknown: error.unknown, cause: String(error.cause) });
      return;
    default:
      logFailure(log, 'readyz', error);
  }
};

const Healthy = t.strict({ status: t.literal('ok') }, 'Healthy');

/** The body of an unready server. */
export const Unready = t.strict(
  { error: ServiceUnavailableBody.type.props.error, reason: UnreadyReason },
  'Unready',
);

/** The body of a server that can serve requests, and about which an operator should know something. */
const HealthyWithNotice = t.strict({ status: t.literal('ok'), notice: ReadyNotice }, 'HealthyWithNotice');

const rendered = <C extends t.Mixed>(codec: C, value: t.TypeOf<C>, head: OutgoingResponse) =>
  pipe(
    render(codec, value),
    E.match(
      (problems): OutgoingResponse => failureResponse({ _tag: 'ContractBroken', row: 'health', problems }),
      (body): OutgoingResponse => ({ ...head, body }),
    ),
  );

const healthy = rendered(Healthy, { status: 'ok' }, { status: 200 });

const healthyWithNotice = (notice: ReadyNotice): OutgoingResponse =>
  rendered(HealthyWithNotice, { status: 'ok', notice }, { status: 200 });

const unready = (reason: UnreadyReason): OutgoingResponse =>
  rendered(
    Unready,
    { error: ServiceUnavailableBody.type.props.error.value, reason },
    failureHead({ _tag: 'StorageUnavailable', cause: reason }, []),
  );

/** The paths that are answered for every host: load balancers use the address of a process as its name. */
export const healthPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

type HealthDependencies = Readonly<{
  storage: Pick<Storage, 'ready'>;
  log: Log;
  /** Whether the server is about to stop. */
  isDraining: () => boolean;
  /** Whether the data that is served is not the one that was to be loaded last. */
  hasReloadFailed: () => boolean;
  /** How long `/readyz` waits for the storage, in milliseconds. */
  readyTimeout: number;
}>;

/**
 * `/healthz`: the process is up. `/readyz`: the server can serve requests and will not stop soon, or else 503
 * and why. Neither needs credentials; neither is part of the contract.
 */
export const addHealth = (
  router: Router,
  { storage, log, isDraining, hasReloadFailed, readyTimeout }: HealthDependencies,
): void => {
  const problem = (): ReadyNotice | null =>
    hasReloadFailed() ? 'the changed fixtures are invalid; the previous ones are served' : null;
  const askStorage = readiness(storage, log, readyTimeout);
  router.get(
    '/healthz',
    respond(async () => healthy),
  );
  router.get(
    '/readyz',
    respond(async () => {
      if (isDraining()) return unready('the server is shutting down');
      const ready = await askStorage();
      if (ready._tag === 'Unready') return unready(ready.reason);
      const notice = ready.notice ?? problem();
      return notice === null ? healthy : healthyWithNotice(notice);
    }),
  );
};
