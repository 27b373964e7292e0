import type { Context } from 'koa';
import { jsonSender } from '../protocol/json-sender.js';
import type { Transport } from '../protocol/transport.js';
import { addressOf } from './address-key.js';
import { afterDelay } from './delay-api.js';
import { sendContent } from './send-content.js';
import { hang } from './simulate/hang.js';
import { sendBroken } from './simulate/send-broken.js';

/** Sends the responses of operations over the connection of Koa's context. */
export const koaTransport = (forOrigin: Transport<Context, void>['forOrigin']): Transport<Context, void> => {
  const send = jsonSender(sendContent);
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
