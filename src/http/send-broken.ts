import type { Context } from 'koa';
import { type Breakage, brokenContent } from './operations/broken-content.js';
import type { JsonResponse } from './operations/json-response.js';
import { jsonHead } from './operations/json-sender.js';

/** Sends a response that is broken on purpose. */
export const sendBroken = (ctx: Context, response: JsonResponse, how: Breakage): void => {
  const { sent, announced } = brokenContent(response, how);
  ctx.res.writeHead(response.status, jsonHead(ctx, announced, response.headers));
  ctx.respond = false;
  if (how !== 'drop') {
    ctx.res.end(sent);
    return;
  }
  // The client gets the head, also of a response to HEAD, and the first half before the connection is cut.
  ctx.res.flushHeaders();
  ctx.res.write(sent, () => ctx.res.destroy());
};
