import type Router from '@koa/router';
import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import type { Log } from '../common/log.js';
import { ServiceUnavailableBody } from '../contract/error-bodies.js';
import type { Storage } from '../storage/port.js';
import { failureHead, failureResponse } from './operations/failure-response.js';
import { render } from './operations/rendered.js';
import { ReadyNotice, readiness, UnreadyReason } from './readiness.js';
import { type OutgoingResponse, respond } from './response.js';

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
