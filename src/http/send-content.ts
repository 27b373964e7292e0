import type { Context } from 'koa';
import type { SendContent } from './operations/json-sender.js';

/** Sends a response to the client of Koa's context, past Koa. */
export const sendContent: SendContent<Context, void> = (ctx, status, head, content) => {
  // Compressing may have taken until the response had to be ended.
  if (ctx.res.headersSent) return;
  ctx.res.writeHead(status, head);
  // The response is complete: Koa has nothing to add.
  ctx.respond = false;
  // A text consists of ASCII characters only; this is the encoding that takes the least time.
  if (typeof content === 'string') ctx.res.end(content, 'latin1');
  else ctx.res.end(content);
};
