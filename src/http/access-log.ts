import type { Context } from 'koa';
import type { Clock } from '../common/clock.js';
import { memo } from '../common/memo.js';
import { addressOf } from './address-key.js';
import { operationOf } from './operation-of.js';
import { clientGone } from './operations/client-gone.js';
import { requestIdOf } from './operations/request-id.js';
import { shownTarget } from './operations/shown-target.js';
import { simulatedOf } from './operations/simulated-note.js';
import { tenantOf } from './operations/tenant-of.js';
import { type TraceContext, traceContext } from './operations/trace-context.js';
import { isQuiet } from './pages/explorer-changes.js';

/** An entry of the access log (docs/metrics.md). */
export type AccessLogEntry = Readonly<{
  requestId: string;
  /** The trace that the client named; null: none. */
  trace: TraceContext | null;
  method: string;
  /** The path and the query, without what may be a secret. */
  url: string;
  operation: string;
  status: number;
  /** The time until the response was sent or abandoned. */
  milliseconds: number;
  /** On whose behalf the request acted; null: nobody's. */
  tenantId: string | null;
  /** The network address of the client. */
  address: string;
  /** What was simulated, and by what; left out: nothing. */
  simulated?: string;
}>;

/**
 * Logs every request once its response is sent or its client is gone. Only parameters of the contract are
 * logged with their values.
 */
export const accessLog = (log: (entry: AccessLogEntry) => void, elapsed: Clock): ((ctx: Context) => void) => {
  const urls = memo<string>();
  const addresses = memo<string>();
  return (ctx) => {
    const started = elapsed();
    // A closed socket has no address any more. Without a proxy, the client is who has opened the connection.
    const { remoteAddress } = ctx.req.socket;
    const address = addresses(ctx.app.proxy ? `${ctx.ip} ${remoteAddress}` : `${remoteAddress}`, () =>
      addressOf(ctx),
    );
    // It is emitted once; `once` would make an object for it.
    ctx.res.on('close', () => {
      if (isQuiet(ctx)) return;
      const target = ctx.req.url ?? '';
      const simulated = simulatedOf(ctx);
      const entry: AccessLogEntry = {
        requestId: requestIdOf(ctx),
        trace: traceContext(ctx.req.headers.traceparent),
        method: ctx.method,
        url: urls(target, () => shownTarget(target)),
        operation: operationOf(ctx),
        status: finalStatus(ctx),
        milliseconds: Math.round(elapsed() - started),
        tenantId: tenantOf(ctx),
        address,
      };
      log(simulated === null ? entry : { ...entry, simulated });
    });
  };
};

/** The status of a request whose response is closed. */
export const finalStatus = (ctx: Context): number =>
  ctx.res.writableFinished ? ctx.res.statusCode : clientGone;
