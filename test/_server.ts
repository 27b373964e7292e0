import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext, TestFn } from 'ava';
import { attemptLimiter } from '../src/accounts/attempt-limiter.js';
import { isPassword } from '../src/accounts/hash-password.js';
import type { LogLevel } from '../src/common/log.js';
import type { AccessLogEntry } from '../src/http/access-log.js';
import { type AppDependencies, createApp } from '../src/http/app.js';
import type { Dataset } from '../src/records/dataset.js';
import { at, aUser, dataset, now } from './_data.js';
import { aStorage, hashCheaply } from './_storage.js';

/** An entry of the diagnostic log. */
export type Logged = Readonly<{ level: LogLevel; event: string; facts: Readonly<Record<string, unknown>> }>;

/** Whatever closes its servers at its end: a test. */
export type TestLife = Pick<ExecutionContext, 'teardown'>;

export type TestServer = Readonly<{
  url: string;
  /** The status, headers and parsed body of a request. */
  ask: (path: string, init?: RequestInit) => Promise<Answer>;
  logged: readonly Logged[];
  accessed: readonly AccessLogEntry[];
  /** Resolves once so many requests are in the access log: a response can arrive before its entry. */
  untilAccessed: (count: number) => Promise<void>;
}>;

export type Answer = Readonly<{ status: number; headers: Headers; body: unknown; text: string }>;

/** Serves datasets in this process until the test ends. The clock stands still at `now`. */
export const serve = async (
  test: TestLife,
  datasets: readonly Dataset[],
  over: Partial<AppDependencies> = {},
): Promise<TestServer> => {
  const clock = () => at(now);
  const logged: Logged[] = [];
  const accessed: AccessLogEntry[] = [];
  const onAccess = new EventEmitter();
  const app = createApp({
    storage: aStorage(datasets),
    clock,
    elapsed: () => 0,
    log: (level, event, facts = {}) => logged.push({ level, event, facts }),
    logAccess: (access) => {
      accessed.push(access);
      onAccess.emit('access');
    },
    strict: false,
    delay: () => 0,
    accounts: testAccounts,
    corsOrigins: [],
    trustProxy: false,
    mode: 'fixtures',
    demoAccounts: () => [],
    swaggerUi: { script: '// Swagger UI', stylesheet: '/* Swagger UI */' },
    ...over,
  });
  const server = createServer(app.callback());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  test.teardown(() => closed(server));
  const url = `http://127.0.0.1:${portOf(server)}`;
  const ask = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(`${url}${path}`, init);
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body:
        text !== '' && /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : undefined,
    };
  };
  const untilAccessed = async (count: number): Promise<void> => {
    while (accessed.length < count) await once(onAccess, 'access');
  };
  return { url, ask, logged, accessed, untilAccessed };
};

/** One server for all tests of a file that only read. */
export const sharedServer = (test: TestFn, datasets: readonly Dataset[]): Pick<TestServer, 'ask'> => {
  let ask: TestServer['ask'] = () => Promise.reject(new Error('the server has not been started'));
  let close = (): unknown => undefined;
  test.before(async () => {
    const life: TestLife = {
      teardown: (stop) => {
        close = stop;
      },
    };
    ({ ask } = await serve(life, datasets));
  });
  test.after.always(() => close());
  return { ask: (path, init) => ask(path, init) };
};

/** Accounts with limits that no test reaches, and no rows for new ones. */
export const testAccounts: AppDependencies['accounts'] = {
  attempts: attemptLimiter({ loginsPerAccount: 1000, loginsPerAddress: 1000, signUpsPerAddress: 1000 }),
  hashPassword: hashCheaply,
  isPassword,
  demo: () => dataset({ user: aUser('nobody') }),
};

export const cookie = (value: string): RequestInit => ({ headers: { Cookie: `session=${value}` } });

export const bearer = (token: string): RequestInit => ({ headers: { Authorization: `Bearer ${token}` } });

const portOf = (server: Server): number => {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('the server does not listen on a port');
  return address.port;
};

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
