import * as E from 'fp-ts/lib/Either.js';
import { startServer } from '../../../src/server/start-server.js';
import type { Storage } from '../../../src/storage/port.js';
import { at, now } from '../../_data.js';

/** The status and the bytes of an answer. */
export type Bytes = Readonly<{ status: number; text: string }>;

export type Serving = Readonly<{
  get: (path: string, headers: Readonly<Record<string, string>>) => Promise<Bytes>;
  stop: () => Promise<void>;
}>;

/** The whole application over a storage, on a free port of loopback, the clock standing at `now`. */
export const serving = async (storage: Storage): Promise<Serving> => {
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
