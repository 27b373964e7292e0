import type { Context, Middleware } from 'koa';
import type { Visitor } from '../accounts/visitor.js';
import { type IsAllowedHost, isHost } from './allowed-hosts.js';
import { healthPaths } from './health.js';
import { failureResponse } from './operations/failure-response.js';
import type { RequestRefused } from './operations/failures.js';
import type { JsonResponse } from './operations/json-response.js';
import { harmlessPath, readTarget } from './operations/request-target.js';
import type { ErrorResponses } from './pages/web-responses.js';
import { write } from './response.js';

type GuardDependencies = Readonly<{
  isAllowedHost: IsAllowedHost;
  visitor: (ctx: Context) => Pick<Visitor, 'report'>;
}>;

type JudgedHost = Readonly<{ host: string; isWellFormed: boolean; isAllowed: boolean }>;

type Refusal = Readonly<{ failure: RequestRefused; response: JsonResponse }>;

/** What `guardRequests` consists of. */
type Guard = Readonly<{
  judge: (ctx: Context) => void;
  /** Why a request is refused, and the answer, after reporting it; null: it is not. */
  refusal: (ctx: Context) => Refusal | null;
}>;

/**
 * Two functions. `judge` comes before all that read the target: it reduces it to a path with a query, and
 * judges whether the request is well-formed and for a host of this server. `refusal` is the answer to a
 * request that is neither.
 */
export const guardRequests = ({ isAllowedHost, visitor }: GuardDependencies): Guard => {
  const refused = new WeakMap<Context, RequestRefused>();
  // Most requests are for the same host as the one before.
  let last: JudgedHost | null = null;
  const judgeHost = (host: string): JudgedHost => {
    if (host !== last?.host) last = { host, isWellFormed: isHost(host), isAllowed: isAllowedHost(host) };
    return last;
  };

  const refusalOf = (ctx: Context): RequestRefused | null => {
    const target = readTarget(ctx.req.url ?? '');
    const hosts = countHosts(ctx.req.rawHeaders);
    if (target === null || hosts > 1 || (hosts === 0 && ctx.req.httpVersion === '1.1')) {
      return { _tag: 'MalformedRequest' };
    }
    ctx.req.url = target.path;
    // The host of an absolute URL replaces the header (RFC 9112, section 3.2.2).
    if (target.authority !== null) ctx.req.headers.host = target.authority;
    const { host: given } = ctx.req.headers;
    // What a trusted proxy states, else the header.
    const host = ctx.app.proxy ? ctx.host : (given ?? '');
    if (given === undefined && host === '') return null;
    const { isWellFormed, isAllowed } = judgeHost(host);
    if (!isWellFormed || (given !== host && given !== undefined && !isHost(given))) {
      return { _tag: 'MalformedRequest' };
    }
    return isAllowed || healthPaths.has(ctx.path) ? null : { _tag: 'HostRefused', host };
  };

  return {
    judge: (ctx) => {
      const refusal = refusalOf(ctx);
      if (refusal === null) return;
      refused.set(ctx, refusal);
      if (refusal._tag === 'MalformedRequest') ctx.req.url = harmlessPath(ctx.req.url ?? '');
    },
    refusal: (ctx) => {
      const failure = refused.get(ctx);
      if (failure === undefined) return null;
      if (failure._tag === 'HostRefused') visitor(ctx).report(failure);
      return { failure, response: failureResponse(failure) };
    },
  };
};

/** Answers requests that are refused. */
export const refuse = (refusal: Guard['refusal'], withPage: ErrorResponses['withoutUser']): Middleware =>
  function refuse(ctx, next) {
    const refused = refusal(ctx);
    if (refused === null) return next();
    write(ctx, withPage(ctx, refused.failure, refused.response));
    return undefined;
  };

/** How many `Host` headers there are. Node drops all but the first. */
const countHosts = (rawHeaders: readonly string[]): number => {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
};
