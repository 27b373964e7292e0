import type { Context } from 'koa';
import type { Clock } from '../common/clock.js';
import { finalStatus } from './access-log.js';
import { operationOf } from './operation-of.js';

/** A request that has been answered, or given up by its client (status 499). */
export type EndedRequest = Readonly<{
  operation: string;
  method: string;
  status: number;
  milliseconds: number;
}>;

/** Told of every request when it begins; the returned function of its end. */
export type ObserveRequests = () => (ended: EndedRequest) => void;

/** Observes every request from when its headers have arrived until its response has been sent. */
export const observeRequests =
  (observe: ObserveRequests, elapsed: Clock) =>
  (ctx: Context): void => {
    const started = elapsed();
    const end = observe();
    // It is emitted once; `once` would make an object for it.
    ctx.res.on('close', () =>
      end({
        operation: operationOf(ctx),
        method: ctx.method,
        status: finalStatus(ctx),
        milliseconds: elapsed() - started,
      }),
    );
  };
