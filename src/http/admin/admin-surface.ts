import type Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import * as E from '#fp-ts/Either';
import { asset } from '../asset.js';
import { failureResponse } from '../operations/failure-response.js';
import type { ErrorResponses } from '../pages/web-responses.js';
import { type OutgoingResponse, respond, write } from '../response.js';
import { type AdminAccess, mayControl } from './admin-guard.js';
import { adminDocumentPath, adminRoot, isAdminPath } from './admin-paths.js';
import type { AdminRoute } from './admin-route.js';
import { readControlBody } from './read-control-body.js';

/**
 * Hides the controls from everyone who may not use them: the answer is that to an unknown path. Null: from
 * everyone.
 */
export const hideControls = (
  access: AdminAccess | null,
  errorResponse: ErrorResponses['response'],
): Middleware => {
  const isAllowed = access === null ? () => false : mayControl(access);
  return async function hideControls(ctx, next) {
    if (!isAdminPath(ctx.path) || isAllowed(ctx.req)) return next();
    write(ctx, await errorResponse(ctx, { _tag: 'NotFound' }));
  };
};

/** Adds the controls, and their OpenAPI document. */
export const addAdmin = (router: Router, routes: readonly AdminRoute[]): void => {
  for (const route of routes) router.register(koaPath(route.path), [route.method], respond(answer(route)));
  router.get(adminDocumentPath, document(routes));
};

/** A path with its parameters as the router writes them: `/__admin/faults/:id`. */
const koaPath = (path: string): string => `${adminRoot}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;

type RouterContext = Context & Readonly<{ params: Record<string, string> }>;

const answer = (route: AdminRoute): ((ctx: RouterContext) => Promise<OutgoingResponse>) => {
  const readBody = readControlBody(route);
  return async (ctx) => {
    const body = route.method === 'GET' ? E.right(undefined) : await readBody(ctx);
    if (E.isLeft(body)) return failureResponse(body.left);
    return route.answer({
      params: ctx.params,
      query: { ...ctx.query },
      body: body.right,
      mediaType: ctx.request.type,
    });
  };
};

/** The document. What makes it is loaded with the first request for it. */
const document = (routes: readonly AdminRoute[]): Middleware => {
  let loaded: Promise<Middleware> | undefined;
  const load = async (): Promise<Middleware> => {
    const { adminDocument } = await import('./admin-document.js');
    return asset('application/json', () => JSON.stringify(adminDocument(routes)));
  };
  return async function document(ctx, next) {
    loaded ??= load();
    return (await loaded)(ctx, next);
  };
};
