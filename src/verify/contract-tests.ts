/** The entry `triage-api/verify`: the contract as unit tests (docs/verify.md). */

import * as E from '#fp-ts/Either';
import { fetchSend, type HttpResponse, type NoResponse, type Send } from '../client/fetch-send.js';
import { pause } from '../common/timers.js';
import { requiredChecks } from './checks/all-checks.js';
import { isUnanswered, lackOfEvidence, type ReportedCheck, type VerifyReport } from './report.js';
import { violationLines } from './text-report.js';
import { verify } from './verify.js';

/** A session cookie and a bearer token of one user. */
type Credentials = Readonly<{ session?: string; token?: string }>;

/** The server to test, which is one of the first three, and the credentials to use. */
export type ContractTestsOptions = Readonly<{
  /** A function that answers requests, such as `app.fetch`. It needs no port. */
  fetch?: (request: Request) => Response | Promise<Response>;
  /** A listener of Node, such as an Express app. It needs no port either. */
  listener?: (request: never, response: never) => unknown;
  /** Where a server listens, without `/api/v1`. */
  url?: string | URL;
  /** The value of a session cookie, and a bearer token of the same user. */
  session: string;
  token: string;
  /** Those of a second user, and those that have expired. What needs them is not exercised without. */
  other?: Credentials;
  expired?: Credentials;
  /** The name of the session cookie; the default is `session`. */
  cookie?: string;
  /** How many per cent of the statements have to be exercised; the default is 90. */
  minExercised?: number;
}>;

/** A statement of the contract as a test. `run` takes the context of the test framework, if it has one. */
export type ContractTest = Readonly<{
  id: string;
  name: string;
  run: (...context: readonly unknown[]) => Promise<void>;
}>;

/**
 * The contract as tests for any framework: one for each statement that the contract makes, and one that fails
 * unless enough of them was exercised. `run` rejects with what is wrong, or with why nothing could be asked.
 * The first test that runs sends all requests, each once, and the others have their results from it. The
 * options may be a function, which is called then: what a test sets up is not there when tests are defined.
 */
export const contractTests = (
  options: ContractTestsOptions | (() => ContractTestsOptions | Promise<ContractTestsOptions>),
): readonly ContractTest[] => {
  if (typeof options !== 'function' && (typeof options !== 'object' || options === null))
    throw new TypeError('contractTests: expected options such as { fetch, session, token }');
  let verified: ReturnType<typeof verifyOnce> | undefined;
  const reported = async (): Promise<VerifyReport> => {
    verified ??= verifyOnce(options);
    const result = await verified;
    if (E.isLeft(result)) throw failure(result.left.join('\n'));
    if (isUnanswered(result.right)) throw failure(`no answer: ${result.right.stopped}`);
    return result.right;
  };
  return [
    ...requiredChecks.map(({ id, section, statement }) => ({
      id,
      name: `${id} (${section}): ${statement}`,
      run: async (...[context]: readonly unknown[]) => {
        const report = await reported();
        const check = report.checks.find((each) => each.id === id);
        if (check?.outcome === 'failed') throw failure(failureText(check, report));
        conclude(context, check?.outcome === 'passed' ? null : whyUnexercised(check));
      },
    })),
    {
      id: 'evidence',
      name: 'evidence: enough of the contract is exercised',
      run: async (...[context]) => {
        const report = await reported();
        const lack = report.stopped ?? lackOfEvidence(report);
        if (lack !== null) throw failure(lack);
        conclude(context, null);
      },
    },
  ];
};

/** An error whose text names the options of these tests. Its place, which tells nothing, is not shown. */
const failure = (text: string): Error => {
  const error = new Error(
    text
      .replaceAll(/--(other|expired)-(session|token)\b/g, '$1.$2')
      .replaceAll(/--(session|token|cookie|url)\b/g, '$1')
      .replaceAll('--min-exercised', 'minExercised'),
  );
  error.stack = `Error: ${error.message}`;
  return error;
};

const verifyOnce = async (options: Parameters<typeof contractTests>[0]) => {
  const { session, token, other, expired, cookie, minExercised, ...server } =
    typeof options === 'function' ? await options() : options;
  for (const [name, value] of Object.entries({ session, token }))
    if (typeof value !== 'string') throw new TypeError(`${name}: expected a text, got ${typeof value}`);
  return verify({
    url: String(server.url ?? localUrl),
    cookieName: cookie ?? 'session',
    secrets: {
      ...{ session, token, otherSession: other?.session, otherToken: other?.token },
      ...{ expiredSession: expired?.session, expiredToken: expired?.token },
    },
    sampling: { seed: 1, allPages: false },
    checks: requiredChecks,
    minExercised: minExercised ?? 90,
    send: await senderTo(server),
    throttling: { gap: 0, maxRequests: 5000, concurrency: 4, clock: Date.now, sleep: pause },
    wallClock: Date.now,
    onProgress: () => {},
  });
};

/** The host that a function is asked for. */
const localUrl = 'http://127.0.0.1';

const senderTo = async ({
  fetch,
  listener,
  url,
}: Pick<ContractTestsOptions, 'fetch' | 'listener' | 'url'>): Promise<Send> => {
  if ([fetch, listener, url].filter((each) => each !== undefined).length !== 1)
    throw new TypeError('pass one of fetch, listener and url');
  if (listener !== undefined) return listenerSend(listener);
  if (fetch === undefined) return fetchSend({ baseUrl: url ?? localUrl });
  return fetchSend({ baseUrl: localUrl, fetch: async (each, init) => fetch(new Request(each, init)) });
};

/** How long a listener may take, in milliseconds. */
const timeout = 30_000;

/** Sends requests to a listener of Node over connections in memory. */
const listenerSend = async (listener: NonNullable<ContractTestsOptions['listener']>): Promise<Send> => {
  const { createServer, request: sendRequest } = await import('node:http');
  const { duplexPair } = await import('node:stream');
  const server = createServer(async (request, response) => {
    try {
      await Reflect.apply(listener, undefined, [request, response]);
    } catch (error) {
      request.socket.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  });
  const createConnection = () => {
    const [near, far] = duplexPair();
    far.once('error', (error) => near.destroy(error));
    server.emit('connection', far);
    return near;
  };
  return ({ method, target, headers }) =>
    new Promise((resolve) => {
      const fail = ({ message }: Error): void =>
        resolve(E.left<NoResponse, HttpResponse>({ _tag: 'Unreachable', reason: message }));
      const signal = AbortSignal.timeout(timeout);
      const options = { method, headers, signal, createConnection };
      sendRequest(`${localUrl}${target}`, options, (message) => {
        const chunks: Uint8Array[] = [];
        message.on('data', (chunk: Uint8Array) => chunks.push(chunk));
        message.on('error', fail);
        message.on('end', () => {
          const fields = Object.entries(message.headers).map(([name, value]) => [name, String(value)]);
          const text = Buffer.concat(chunks).toString();
          resolve(E.right({ status: message.statusCode ?? 0, headers: Object.fromEntries(fields), text }));
        });
      })
        .on('error', fail)
        .end();
    });
};

/** The mistake that a failed check means, or the check itself in words, and where responses show it. */
const failureText = (check: ReportedCheck, { mistakes }: VerifyReport): string => {
  const mistake = mistakes.find(({ checks }) => checks.includes(check.id));
  const left = check.violationCount - check.violations.length;
  return [
    `${mistake?.sentence ?? check.statement} (${mistake?.section ?? check.section})`,
    ...check.violations.flatMap(violationLines),
    ...(left > 0 ? [`and ${left} more`] : []),
    ...(check.reasoning === null ? [] : [check.reasoning]),
  ].join('\n');
};

const whyUnexercised = (check: ReportedCheck | undefined): string =>
  check?.outcome === 'changing data' ? 'the data changes during the run' : `requires ${check?.needed}`;

/**
 * Ends a test that has not failed. AVA wants an assertion; `node:test` and Vitest can skip what was not
 * exercised.
 */
const conclude = (context: unknown, unexercised: string | null): void => {
  if (call(context, 'pass') || unexercised === null) return;
  call(context, 'skip', unexercised);
};

const call = (object: unknown, name: string, ...words: readonly string[]): boolean => {
  if ((typeof object !== 'object' && typeof object !== 'function') || object === null) return false;
  const method: unknown = Reflect.get(object, name);
  if (typeof method !== 'function') return false;
  Reflect.apply(method, object, words);
  return true;
};
