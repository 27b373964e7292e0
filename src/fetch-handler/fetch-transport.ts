import { jsonHead, jsonSender, type SendContent } from '../protocol/json-sender.js';
import { brokenContent } from '../protocol/simulate/broken-content.js';
import type { Transport } from '../protocol/transport.js';
import type { Answer } from './answer.js';
import type { FetchRequest } from './fetch-request.js';
import { wait, waitInBackground } from './wait.js';

/** Notes what is sent, and returns it. A response to HEAD has no body. */
export const sendContent: SendContent<FetchRequest, Answer> = (request, status, head, content) => {
  request.sent.status = status;
  const body = request.method === 'HEAD' ? null : (content ?? null);
  return { _tag: 'Sent', status, head, content: body, isCut: false };
};

/** Returns the responses of operations as values. There is no connection, and no address of a client. */
export const fetchTransport = (): Transport<FetchRequest, Answer> => {
  const send = jsonSender(sendContent);
  return {
    send,
    sendUnexpected: send,
    sendBroken: (request, response, how) => {
      const { sent, announced } = brokenContent(response, how);
      const head = jsonHead(request, announced, response.headers);
      return { ...sendContent(request, response.status, head, sent), isCut: how === 'drop' };
    },
    hang: async ({ signal }, { maxHang }) =>
      (await waitInBackground(maxHang, signal)) ? { _tag: 'Cut' } : { _tag: 'Gone' },
    afterDelay: async ({ signal }, milliseconds, next) =>
      (await wait(milliseconds, signal)) ? next() : { _tag: 'Gone' },
    forOrigin: (_, next) => next(),
    addressOf: () => 'unknown',
  };
};
