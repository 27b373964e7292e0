import { EventEmitter, once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import type { ExecutionContext, TestFn } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { plainAccounts } from '../src/accounts/account-flow.js';
import { isPassword } from '../src/accounts/passwords.js';
import { publicPasswordHash, publicPrefix } from '../src/accounts/portable-passwords.js';
import { watchedStorage } from '../src/accounts/storage-calls.js';
import type { Log, LogLevel } from '../src/common/log.js';
import type { Dataset } from '../src/fixtures/dataset.js';
import type { AccessLogEntry } from '../src/koa/access-log.js';
import type { ServerConfig } from '../src/start/start-server.js';
import { at, now } from './_data.js';
import { hashingAtOnce, limiterOf } from './_limits.js';
import { portOf } from './_port.js';
import { aStorage, hashCheaply } from './_storage.js';

/** What starts servers: ours, or that of a copy that TEST_SERVER names (`test/deletable`). */
const loadServer = (): Promise<typeof import('../src/start/start-server.js')> =>
  import(join(process.env.TEST_SERVER || join(import.meta.dirname, '../src'), 'start/start-server.js'));

/** An entry of the diagnostic log, without the id of the request. */
export type Logged = Readonly<{ level: LogLevel; event: string; facts: Readonly<Record<string, unknown>> }>;

/** Whatever closes its servers at its end: a test. */
export type TestLife = Pick<ExecutionContext, 'teardown'>;

/** A server of this process that answers by a function, until the test ends: its base URL. */
export const serveWith = async (test: TestLife, answer: RequestListener): Promise<string> => {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${portOf(server)}`;
};

export type TestServer = Readonly<{
  url: string;
  /** The status, headers and parsed body of a request. */
  ask: (path: string, init?: RequestInit) => Promise<Answer>;
  /** What an operator sees by default: from the level info on. */
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
  { storage = aStorage(datasets), ...over }: Partial<ServerConfig> = {},
  {
    observeCalls: observe = null,
    ...more
  }: Partial<ServerConfig> &
    Readonly<{ observeCalls?: Parameters<typeof watchedStorage>[1]['observe'] }> = {},
): Promise<TestServer> => {
  const logged: Logged[] = [];
  const accessed: AccessLogEntry[] = [];
  const onAccess = new EventEmitter();
  const { elapsed = () => 0 } = over;
  const log: Log = (level, event, { requestId: _, ...facts } = {}) => {
    if (level !== 'debug') logged.push({ level, event, facts });
  };
  const { startServer } = await loadServer();
  const server = await startServer({
    // Longer than a busy machine takes.
    storage: watchedStorage(storage, { log, elapsed, readyTimeout: 60_000, observe }),
    clock: over.live?.now ?? (() => at(now)),
    elapsed,
    log,
    logAccess: (entries) => {
      accessed.push(...entries);
      onAccess.emit('access');
    },
    accounts: testAccounts,
    ...over,
    ...more,
  });
  if (E.isLeft(server)) throw new Error(server.left.message);
  const { url, stop } = server.right;
  test.teardown(() => stop(0));
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
export const sharedServer = (
  test: TestFn,
  datasets: readonly Dataset[],
  over: Partial<ServerConfig> = {},
): Pick<TestServer, 'ask'> => {
  let ask: TestServer['ask'] = () => Promise.reject(new Error('the server has not been started'));
  let close = (): unknown => undefined;
  test.before(async () => {
    const life: TestLife = {
      teardown: (stop) => {
        close = stop;
      },
    };
    ({ ask } = await serve(life, datasets, over));
  });
  test.after.always(() => close());
  return { ask: (path, init) => ask(path, init) };
};

/** Accounts with limits that no test reaches, and no rows for new ones. */
export const testAccounts: ServerConfig['accounts'] = {
  ...plainAccounts,
  attempts: limiterOf(),
  hashing: hashingAtOnce,
  hashPassword: hashCheaply,
  isPassword: isPasswordAtOnce,
};

/** Compares passwords of fixtures without the work that hides which accounts there are. */
async function isPasswordAtOnce(...[password, hash]: Parameters<typeof isPassword>): Promise<boolean> {
  const isHashed = hash !== null && !hash.startsWith(publicPrefix);
  return isHashed ? isPassword(password, hash) : hash === publicPasswordHash(password);
}

export const cookie = (value: string): RequestInit => ({ headers: { Cookie: `session=${value}` } });

export const bearer = (token: string): RequestInit => ({ headers: { Authorization: `Bearer ${token}` } });
