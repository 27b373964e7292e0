import type { Context } from 'koa';
import { type JsonResponse, jsonHead } from '../send-json.js';

/** How a response can be broken on its way. */
export type Breakage = 'drop' | 'truncate' | 'malformed';

/** No JSON goes on after its end. */
const surplus = '}';

/**
 * Sends a response that is broken on purpose: the only place that sends what no codec has accepted. It has no
 * `ETag`, so that no client keeps it.
 */
export const sendBroken = (ctx: Context, { status, headers, body }: JsonResponse, how: Breakage): void => {
  const whole = Buffer.from(body.content);
  const half = whole.subarray(0, Math.floor(whole.length / 2));
  const sent = how === 'malformed' ? Buffer.concat([whole, Buffer.from(surplus)]) : half;
  const announced = how === 'drop' ? whole : sent;
  ctx.res.writeHead(status, jsonHead(ctx, announced.length, headers));
  ctx.respond = false;
  if (how !== 'drop') {
    ctx.res.end(sent);
    return;
  }
  // The client gets the head, also of a response to HEAD, and the first half before the connection is cut.
  ctx.res.flushHeaders();
  ctx.res.write(sent, () => ctx.res.destroy());
};
