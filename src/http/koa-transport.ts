import type { Context } from 'koa';
import { type CompressBody, jsonSender } from '../protocol/json-sender.js';
import type { Transport } from '../protocol/transport.js';
import { addressOf } from './address-key.js';
import { afterDelay } from './delay-api.js';
import { sendContent } from './send-content.js';
import { hang } from './simulate/hang.js';
import { sendBroken } from './simulate/send-broken.js';

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
