import type Router from '@koa/router';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { renderHealthy } from '../api/rendered.js';
import type { Log } from '../common/log.js';
import type { Storage } from '../storage/port.js';
import { logError } from './log-error.js';
import { send, sendError } from './send.js';

/** `/healthz`: the process is up. `/readyz`: its storage can answer, else 503, whatever the reason. Neither asks who is asking. */
export const addHealth = (router: Router, storage: Pick<Storage, 'ready'>, log: Log): void => {
  router.get('/healthz', (ctx) => send(ctx, 200, renderHealthy()));
  router.get('/readyz', (ctx) =>
    pipe(
      storage.ready(),
      TE.match(
        (error) => {
          logError(log, 'readyz', error);
          sendError(ctx, { _tag: 'StorageUnavailable', cause: error });
        },
        () => send(ctx, 200, renderHealthy()),
      ),
    )(),
  );
};
