import { Agent, type IncomingMessage, request } from 'node:http';
import { inspect } from 'node:util';
import * as E from '#fp-ts/Either';
import { startServer } from '../../server/start-server.js';
import type { Storage } from '../port.js';
import { at, now } from './sample-rows.js';

/** The status and the body of a response. */
export type ServedResponse = Readonly<{ status: number; text: string }>;

export type StorageServer = Readonly<{
  get: (path: string, headers: Readonly<Record<string, string>>) => Promise<ServedResponse>;
  /** What the server has logged as an error since this was called last: why a response has status 500. */
  takeErrors: () => readonly string[];
  stop: () => Promise<void>;
}>;

/** Serves the API over a storage on a free loopback port, with the clock standing at `now`. */
export const serveStorage = async (storage: Storage): Promise<StorageServer> => {
  const errors: string[] = [];
  const server = await startServer({
    storage,
    clock: () => at(now),
    elapsed: () => 0,
    log: (level, event, details) => {
      if (level === 'error' || level === 'warn') errors.push(`${event} ${inspect(details, { depth: 6 })}`);
    },
    swaggerUi: { script: '', stylesheet: '' },
  })();
  if (E.isLeft(server)) throw new Error(server.left._tag);
  const { url, stop } = server.right;
  // With `fetch`, the whole suite takes half as long again.
  const agent = new Agent({ keepAlive: true });
  return {
    get: (path, headers) => get(new URL(`${url}${path}`), headers, agent),
    takeErrors: () => errors.splice(0),
    stop: async () => {
      agent.destroy();
      await stop(0);
    },
  };
};

const get = (url: URL, headers: Readonly<Record<string, string>>, agent: Agent): Promise<ServedResponse> =>
  new Promise((resolve, reject) => {
    request(url, { headers, agent }, (response) => {
      textOf(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), reject);
    })
      .on('error', reject)
      .end();
  });

const textOf = async (response: IncomingMessage): Promise<string> => {
  let text = '';
  response.setEncoding('utf8');
  for await (const chunk of response) text += String(chunk);
  return text;
};
