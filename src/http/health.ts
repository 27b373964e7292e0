import type Router from '@koa/router';
import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as t from 'io-ts';
import { render } from '../api/rendered.js';
import type { Log } from '../common/log.js';
import type { Storage } from '../storage/port.js';
import { logFailure } from './log-failure.js';
import { failureResponse, type OutgoingResponse, respond } from './response.js';

const Healthy = t.strict({ status: t.literal('ok') }, 'Healthy');

const healthy = pipe(
  render(Healthy, { status: 'ok' }),
  E.match(
    (problems): OutgoingResponse => failureResponse({ _tag: 'ContractBroken', row: 'health', problems }),
    (body): OutgoingResponse => ({ status: 200, body }),
  ),
);

/**
 * `/healthz`: the process is up. `/readyz`: the storage can answer, or else 503, whatever the reason. Neither
 * needs credentials; neither is part of the contract.
 */
export const addHealth = (router: Router, storage: Pick<Storage, 'ready'>, log: Log): void => {
  router.get(
    '/healthz',
    respond(async () => healthy),
  );
  router.get(
    '/readyz',
    respond(async () => {
      const ready = await storage.ready()();
      if (E.isRight(ready)) return healthy;
      logFailure(log, 'readyz', ready.left);
      return failureResponse({ _tag: 'StorageUnavailable', cause: ready.left });
    }),
  );
};
