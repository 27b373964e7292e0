import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import Router from '@koa/router';
import Koa, { type Context, type Middleware, type ParameterizedContext } from 'koa';
import type { Outcome, Pace, SendingEnd, Sent } from '../api/response.js';
import type { Match } from '../api/routes.js';
import type { Service } from '../api/service.js';
import type { Log } from '../common/log.js';
import type { IsAllowedHost, IsAllowedOrigin } from '../common/own-hosts.js';
import { type Followers, requestFollower } from './access-log.js';
import { type AdminAccess, mayControl } from './admin-guard.js';
import { reset } from './connections.js';
import { allowOrigins } from './cors.js';
import { guardRequest } from './guard.js';
import { KoaRequest } from './koa-request.js';

/** What the door needs besides the service. */
export type AppDependencies = Followers &
  Readonly<{
    log: Log;
    /** What comes before the paths of the service: `/mock`, or nothing. */
    basePath: string;
    /** Whether pages of an origin may read responses. */
    isAllowedOrigin: IsAllowedOrigin;
    /** Whether requests for a host are answered; behind a trusted proxy, the one that it states. */
    isAllowedHost: IsAllowedHost;
    /** Whether to trust what a proxy says about the client (`X-Forwarded-…`). */
    trustProxy: boolean;
    /** Whether a request certainly comes from this machine, and the server is there for nobody else. */
    isLocal: (request: IncomingMessage) => boolean;
    /** Who may use the mock controls; null: there are none. */
    adminAccess: AdminAccess | null;
  }>;

/** What the first middleware leaves for the others: a map with weak keys doubles the time for garbage. */
type Begun = { request: KoaRequest };

const hangUps = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

/**
 * The door of the server: the service behind Koa, as a listener of an HTTP server. The service answers; what
 * is of connections, hosts, other origins and logs of access is done here.
 */
export const createApp = (service: Service, dependencies: AppDependencies): RequestListener => {
  const { adminAccess, basePath, isAllowedHost, isAllowedOrigin, isLocal, log } = dependencies;
  // Without the controls, nobody is trusted: a proxy that leaves no trace would seem to be on this machine.
  const isOperator = adminAccess === null ? () => false : mayControl(adminAccess);
  const trust = { isLocal, mayControl: isOperator };
  const follow = requestFollower(dependencies);
  const allowOrigin = allowOrigins(isAllowedOrigin);

  /** Makes the request that all others take, and follows it. */
  const begin: Middleware<Begun> = async (ctx, next) => {
    // The service makes whole responses, which are sent as they are.
    ctx.respond = false;
    const refused = guardRequest(ctx, isAllowedHost, basePath);
    const request = new KoaRequest(ctx, trust, refused);
    ctx.state.request = request;
    try {
      follow(ctx, request);
      // With a router for the operations, too, a request to one of them takes a tenth longer.
      const match = service.find(request.method, request.path);
      await (match === null || match.row.operation === null ? next() : answer(ctx, match));
    } catch (cause) {
      const outcome = await service.failInDoor(request, cause);
      if (ctx.res.headersSent) ctx.res.destroy();
      else send(ctx, outcome, false);
    }
  };

  const answer = async (ctx: ParameterizedContext<Begun>, match: Match | null): Promise<void> => {
    const { request } = ctx.state;
    const isFromPage = ctx.req.headers.origin !== undefined;
    const outcome = await service.serve(match, request);
    const isPreflight = isFromPage && (await allowOrigin(ctx));
    const { onEnd } = service;
    const sent = (): Outcome<Sent> => (isFromPage ? withCors(ctx, outcome) : outcome);
    send(ctx, outcome, isPreflight, onEnd && ((...end) => onEnd(request, sent(), ...end)));
  };

  // Of the addresses in `X-Forwarded-For`, the last is the one that the proxy saw; the client can claim the
  // others.
  const app = new Koa<Begun>({ proxy: dependencies.trustProxy, maxIpsCount: 1 });
  app.use(begin);
  // Paths match to the letter: case and a trailing slash count.
  const router = new Router<Begun>({ sensitive: true, strict: true });
  for (const row of service.rows) {
    if (row.operation === null)
      router.register(row.path, [row.method], (ctx) => answer(ctx, { row, params: ctx.params }));
  }
  app.use(router.routes());
  app.use((ctx) => answer(ctx, null));
  app.on('error', (cause: unknown) => {
    // That a client hangs up before it has read a response is no fault; the access log has it.
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (typeof code === 'string' && hangUps.has(code)) return;
    log('warn', 'a response could not be sent', { cause: String(cause) });
  });
  return app.callback();
};

/** What was sent, with the headers for pages of other origins, which are Koa's. */
const withCors = ({ res }: Context, outcome: Outcome<Sent>): Outcome<Sent> => {
  const own = typeof outcome === 'string' ? [] : Object.entries(res.getHeaders());
  if (typeof outcome === 'string' || own.length === 0) return outcome;
  return { ...outcome, head: [...outcome.head, ...own.flatMap(([name, value]) => [name, String(value)])] };
};

/**
 * Sends what became of a request, past Koa's own response: with the nine headers of an operation set one by
 * one, a request takes 1.5 times as long, besides the network. `isPreflight`: browsers take the answer to a
 * request for permission only with a status of success.
 */
const send = (
  { req, res }: Context,
  outcome: Outcome<Sent>,
  isPreflight: boolean,
  onEnd: ((end: SendingEnd, length: number) => void) | null = null,
): void => {
  if (typeof outcome === 'string') onEnd?.('gone', 0);
  if (outcome === 'Gone') return;
  if (typeof outcome === 'string') {
    // Before anything is sent: of a response that breaks off later, some proxies never tell their client.
    reset(req.socket);
    // Otherwise logs would take the status that nobody has set for one that was sent.
    return void res.destroy();
  }
  // Compressing may have taken until the response had to be ended.
  if (res.headersSent) return;
  if (isPreflight && outcome.status !== 204) {
    const isOfBody = (name = ''): boolean => name.startsWith('Content-T') || name.startsWith('Content-L');
    const head = outcome.head.filter((_, i, all) => !isOfBody(all[i - (i % 2)]));
    return void res.writeHead(204, head).end();
  }
  res.writeHead(outcome.status, outcome.head);
  const { content, pace } = outcome;
  const progress: Progress = { length: req.method === 'HEAD' ? 0 : (content?.length ?? 0), end: 'gone' };
  if (onEnd !== null)
    res.once('close', () => onEnd(res.writableFinished ? 'written' : progress.end, progress.length));
  if (content === undefined || pace === undefined || req.method === 'HEAD') res.end(content);
  else void sendSlowly(res, content, pace, progress);
};

/** How much of a body was sent, and how its exchange ends unless all was written. */
type Progress = { length: number; end: SendingEnd };

/** Sends a body part by part; one that is cut ends with its connection. */
const sendSlowly = async (
  res: ServerResponse,
  content: Uint8Array,
  pace: Pace,
  progress: Progress,
): Promise<void> => {
  const controller = new AbortController();
  res.once('close', () => controller.abort());
  res.once('close', pace.hold(content.length));
  progress.length = 0;
  for await (const part of pace.parts(content, controller.signal)) {
    progress.length += part.length;
    await new Promise((resolve) => res.write(part, resolve));
  }
  if (!pace.isCut) return void res.end();
  if (!controller.signal.aborted) progress.end = 'cut';
  res.destroy();
};
