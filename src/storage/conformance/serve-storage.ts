import { createServer } from 'node:http';
import { attemptLimiter } from '../../accounts/attempt-limiter.js';
import { hashPassword, isPassword } from '../../accounts/hash-password.js';
import { createApp } from '../../http/app.js';
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
  const app = createApp({
    storage,
    clock: () => at(now),
    elapsed: () => 0,
    log: () => {},
    logAccess: () => {},
    strict: false,
    delay: () => 0,
    accounts: {
      attempts: attemptLimiter({ loginsPerAccount: 1, loginsPerAddress: 1, signUpsPerAddress: 1 }),
      hashPassword,
      isPassword,
      demo: () => ({ repos: [], scans: [], fixDrafts: [], pullRequests: [] }),
    },
    corsOrigins: [],
    trustProxy: false,
    mode: 'fixtures',
    demoAccounts: () => [],
    swaggerUi: { script: '', stylesheet: '' },
  });
  const server = createServer(app.callback());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    get: async (path, headers) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
      return { status: response.status, text: await response.text() };
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
