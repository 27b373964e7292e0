import type { Middleware } from 'koa';
import type { Clock } from '../common/clock.js';
import { escapeControlCharacters } from '../common/escape-control-characters.js';

/** The status of a request whose client did not wait for the answer, as nginx writes it. */
const clientGone = 499;

/** One line of the access log. `milliseconds` is the time until the response was sent or given up. */
export type AccessLogEntry = Readonly<{ method: string; url: string; status: number; milliseconds: number }>;

/**
 * Tells every request once its response is out, or its client gone. Only parameters that the contract knows are told with
 * their values: what else stands in a query may be a secret that went astray.
 */
export const accessLog = (
  tell: (access: AccessLogEntry) => void,
  known: ReadonlySet<string>,
  elapsed: Clock,
): Middleware =>
  async function accessLog(ctx, next) {
    const started = elapsed();
    ctx.res.once('close', () =>
      tell({
        method: ctx.method,
        url: escapeControlCharacters(`${ctx.path}${query(ctx.querystring, known)}`),
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
