import type { Context } from 'koa';
import { addressOf } from './guard.js';
import { type CompressBody, jsonSender } from './operations/json-sender.js';
import type { Transport } from './operations/transport.js';
import { afterDelay, hang, sendBroken, sendContent } from './response.js';

/** Sends the responses of operations over the connection of Koa's context. */
export const koaTransport = (
  forOrigin: Transport<Context, void>['forOrigin'],
  compress: CompressBody<void> | null,
): Transport<Context, void> => {
  const send = jsonSender(sendContent, compress);
  return {
    send,
    sendUnexpected: (ctx, response) => {
      if (ctx.res.headersSent) ctx.res.destroy();
      else send(ctx, response);
    },
    sendBroken,
    hang,
    afterDelay,
    forOrigin,
    addressOf,
  };
};
