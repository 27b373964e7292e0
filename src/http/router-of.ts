import Router from '@koa/router';
import type { Endpoint } from '../api/endpoints.js';
import type { respondTo } from './respond-to.js';

/** A router with a route for each endpoint. Paths match to the letter: letter case and a trailing slash count. */
export const routerOf = (endpoints: readonly Endpoint[], respond: ReturnType<typeof respondTo>): Router => {
  const router = new Router({ sensitive: true, strict: true });
  for (const endpoint of endpoints) {
    router.get(endpoint.operation.path.replaceAll(/\{(\w+)\}/g, ':$1'), respond(endpoint));
  }
  return router;
};
