import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import type { Row } from '../api/call.js';
import { apiFailures, failureResponse, headOf, logFailure } from '../api/failures.js';
import { render } from '../api/rendered.js';
import type { Reply } from '../api/response.js';
import { plainRow } from '../api/routes.js';
import type { NotReady, ReadyStorage } from '../api/storage-port.js';
import type { Log } from '../common/log.js';
import { runLater } from '../common/timers.js';
import { ServiceUnavailableBody } from '../contract/error-bodies.js';
import { healthPaths } from '../koa/guard.js';

/** Why a server cannot serve requests, without details: those are not for everyone who can ask. */
const reasons = {
  Draining: 'the server is shutting down',
  StorageUnavailable: 'the storage cannot be reached, or does not answer in time',
  StorageBusy: 'the storage is busy',
  StorageReadOnly: 'the storage fails',
  StorageFailed: 'the storage fails',
  RecordBroken: 'the storage fails',
  SchemaOlder: 'the schema is older than this version',
  SchemaNewer: 'the schema is newer than this version',
} as const satisfies Readonly<Record<NotReady['_tag'] | 'Draining', string>>;

/** What an operator should know of a server that can serve requests. */
const notices = {
  SchemaNewer: reasons.SchemaNewer,
  ReadOnly: 'the storage is read-only: reads work, and logins, sign-ups and changes fail',
  WorkersAway: 'some workers of the database are away, and the requests of their tenants fail',
  ReloadFailed: 'the changed fixtures are invalid; the previous ones are served',
} as const;

const UnreadyReason = t.keyof(
  {
    [reasons.Draining]: null,
    [reasons.StorageUnavailable]: null,
    [reasons.StorageBusy]: null,
    [reasons.StorageFailed]: null,
    [reasons.SchemaOlder]: null,
    [reasons.SchemaNewer]: null,
  },
  'reason',
);
type UnreadyReason = t.TypeOf<typeof UnreadyReason>;
type ReadyNotice = (typeof notices)[keyof typeof notices];

/** Whether the storage can serve requests. */
type Readiness =
  | Readonly<{ _tag: 'Ready'; notice: ReadyNotice | null }>
  | Readonly<{ _tag: 'Unready'; reason: UnreadyReason }>;

/** How long the storage counts as ready after it has said so, in milliseconds. */
const validity = 500;

/**
 * Whether the storage can serve requests. However many ask, it is asked seldom: questions at the same time
 * are one, and a good answer holds for a moment. A notice is logged when it begins.
 */
const readiness = (storage: ReadyStorage, log: Log): (() => Promise<Readiness>) => {
  let known: Promise<Readiness> | null = null;
  const forget = (): void => {
    known = null;
  };
  let notice: ReadyNotice | null = null;

  const ask = async (): Promise<Readiness> => {
    const answer = await storage.ready();
    if (E.isLeft(answer)) {
      forget();
      logFailure(log, 'readyz', answer.left);
      return { _tag: 'Unready', reason: reasons[answer.left._tag] };
    }
    runLater(validity, forget);
    const before = notice;
    const { _tag, ...facts } = answer.right ?? { _tag: null };
    notice = _tag && notices[_tag];
    if (notice !== null && notice !== before) log('warn', `ready, but ${notice}`, facts);
    return { _tag: 'Ready', notice };
  };

  return async () => {
    known ??= ask();
    known.catch(forget);
    return known;
  };
};

/** The body of an unready server. */
export const Unready = t.strict(
  { error: ServiceUnavailableBody.type.props.error, reason: UnreadyReason },
  'Unready',
);

const Healthy = t.exact(
  t.intersection([t.type({ status: t.literal('ok') }), t.partial({ notice: t.string })]),
  'Healthy',
);

const rendered = <C extends t.Mixed>(codec: C, value: t.TypeOf<C>, head: Reply) => {
  const body = render(codec, value);
  return E.isRight(body)
    ? { ...head, body: body.right }
    : failureResponse({ _tag: 'ContractBroken', row: 'health', problems: body.left });
};

const healthy = (notice: ReadyNotice | null): Reply =>
  rendered(Healthy, { status: 'ok', ...(notice !== null && { notice }) }, { status: 200 });

const unhealthy = (reason: UnreadyReason): Reply => {
  const error = ServiceUnavailableBody.type.props.error.value;
  return rendered(
    Unready,
    { error, reason },
    headOf(apiFailures, { _tag: 'StorageUnavailable', cause: reason }, []),
  );
};

export type HealthDependencies = Readonly<{
  storage: ReadyStorage;
  log: Log;
  /** Whether the server is about to stop, so that it should get no more requests; default: it is not. */
  isDraining?: () => boolean;
  /** Whether the data that is served is not the one that was to be loaded last; default: it is. */
  hasReloadFailed?: () => boolean;
}>;

/**
 * `/healthz`: the process is up. `/readyz`: the server can serve requests and will not stop soon, or else 503
 * and why. Neither needs credentials; neither is part of the contract.
 */
export const healthRows = ({
  storage,
  log,
  isDraining = () => false,
  hasReloadFailed = () => false,
}: HealthDependencies): readonly Row[] => {
  const askStorage = readiness(storage, log);
  const readyz = async (): Promise<Reply> => {
    if (isDraining()) return unhealthy(reasons.Draining);
    const ready = await askStorage();
    if (ready._tag === 'Unready') return unhealthy(ready.reason);
    return healthy(ready.notice ?? (hasReloadFailed() ? notices.ReloadFailed : null));
  };
  return [
    plainRow('GET', healthPaths.live, async () => healthy(null)),
    plainRow('GET', healthPaths.ready, readyz),
  ];
};
