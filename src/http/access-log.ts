import type { Middleware } from 'koa';
import type { Clock } from '../common/clock.js';
import { escapeControlCharacters } from '../common/escape-control-characters.js';

/** The status of a request whose client closed the connection before the response, as in nginx. */
const clientGone = 499;

/** An entry of the access log. `milliseconds` is the time until the response was sent or abandoned. */
export type AccessLogEntry = Readonly<{ method: string; url: string; status: number; milliseconds: number }>;

/**
 * Logs every request once its response is sent or its client is gone. Only parameters of the contract are
 * logged with their values: anything else in a query may be a misplaced secret.
 */
export const accessLog = (
  log: (entry: AccessLogEntry) => void,
  loggedParameters: ReadonlySet<string>,
  elapsed: Clock,
): Middleware =>
  async function accessLog(ctx, next) {
    const started = elapsed();
    ctx.res.once('close', () =>
      log({
        method: ctx.method,
        url: escapeControlCharacters(`${ctx.path}${query(ctx.querystring, loggedParameters)}`),
        status: ctx.res.writableFinished ? ctx.res.statusCode : clientGone,
        milliseconds: Math.round(elapsed() - started),
      }),
    );
    return next();
  };

const query = (querystring: string, known: ReadonlySet<string>): string => {
  const shown = Array.from(new URLSearchParams(querystring), ([name, value]) =>
    known.has(name)
      ? `${encodeURIComponent(name)}=${encodeURIComponent(value)}`
      : `${encodeURIComponent(name)}=…`,
  );
  return shown.length === 0 ? '' : `?${shown.join('&')}`;
};
