import * as E from 'fp-ts/lib/Either.js';
import { startServer } from '../../server/start-server.js';
import type { Storage } from '../port.js';
import { at, now } from './sample-rows.js';

/** The status and the body of a response. */
export type ServedResponse = Readonly<{ status: number; text: string }>;

export type StorageServer = Readonly<{
  get: (path: string, headers: Readonly<Record<string, string>>) => Promise<ServedResponse>;
  stop: () => Promise<void>;
}>;

/** Serves the API over a storage on a free loopback port, with the clock standing at `now`. */
export const serveStorage = async (storage: Storage): Promise<StorageServer> => {
  const server = await startServer({
    storage,
    clock: () => at(now),
    elapsed: () => 0,
    swaggerUi: { script: '', stylesheet: '' },
  })();
  if (E.isLeft(server)) throw new Error(server.left._tag);
  const { url, stop } = server.right;
  return {
    get: async (path, headers) => {
      const response = await fetch(`${url}${path}`, { headers });
      return { status: response.status, text: await response.text() };
    },
    stop: () => stop(0),
  };
};
