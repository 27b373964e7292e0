import type { ExecutionContext } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { attemptLimiter } from '../src/accounts/attempt-limiter.js';
import { isPassword } from '../src/accounts/hash-password.js';
import type { LogLevel } from '../src/common/log.js';
import type { AccessLogEntry } from '../src/http/access-log.js';
import type { AppDependencies } from '../src/http/app.js';
import type { Dataset } from '../src/records/dataset.js';
import { startServer } from '../src/server/start-server.js';
import { at, aUser, dataset, now } from './_data.js';
import { aStorage, cheaply } from './_storage.js';

/** A line of the log. */
export type Logged = Readonly<{ level: LogLevel; event: string; facts: Readonly<Record<string, unknown>> }>;

/** Whatever has an end at which servers are to be closed: a test. */
export type TestLife = Pick<ExecutionContext, 'teardown'>;

export type TestServer = Readonly<{
  url: string;
  /** The status, headers and parsed body of a request. */
  ask: (path: string, init?: RequestInit) => Promise<Answer>;
  logged: readonly Logged[];
  accessed: readonly AccessLogEntry[];
}>;

export type Answer = Readonly<{ status: number; headers: Headers; body: unknown; text: string }>;

/** Serves datasets in this process, the clock standing at `now`, until the test is over. */
export const serve = async (
  test: TestLife,
  datasets: readonly Dataset[],
  over: Partial<AppDependencies> = {},
): Promise<TestServer> => {
  const logged: Logged[] = [];
  const accessed: AccessLogEntry[] = [];
  const { accounts = testAccounts, ...rest } = over;
  const server = await startServer({
    storage: aStorage(datasets),
    clock: () => at(now),
    elapsed: () => 0,
    log: (level, event, facts = {}) => logged.push({ level, event, facts }),
    logAccess: (access) => accessed.push(access),
    swaggerUi: { script: '// Swagger UI', stylesheet: '/* Swagger UI */' },
    ...accounts,
    ...rest,
  })();
  if (E.isLeft(server)) throw new Error(server.left._tag);
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
  return { url, ask, logged, accessed };
};

/** Accounts without limits to speak of, and nothing to begin with. */
export const testAccounts: AppDependencies['accounts'] = {
  attempts: attemptLimiter({ loginsPerAccount: 1000, loginsPerAddress: 1000, signUpsPerAddress: 1000 }),
  hashPassword: cheaply,
  isPassword,
  demo: () => dataset({ user: aUser('nobody') }),
};

export const cookie = (value: string): RequestInit => ({ headers: { Cookie: `session=${value}` } });

export const bearer = (token: string): RequestInit => ({ headers: { Authorization: `Bearer ${token}` } });
