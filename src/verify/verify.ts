import * as E from '#fp-ts/Either';
import type { Send } from '../client/fetch-send.js';
import type { OutgoingRequest } from '../client/outgoing-request.js';
import type { Clock } from '../common/clock.js';
import { limitConcurrency } from '../common/concurrency.js';
import { timestampAt } from '../contract/codecs/timestamp.js';
import { operations } from '../contract/operations.js';
import { maxLimit, PageInfo } from '../contract/page-and-limit.js';
import { type Check, type CheckRun, runCheck } from './check.js';
import { requiredChecks } from './checks/all-checks.js';
import { confirmViolations } from './confirm-violations.js';
import {
  type Exchange,
  findingRequest,
  listNames,
  listRequest,
  type RequestSpec,
  requestTo,
  unknownFindingId,
} from './exchange.js';
import { mistakesIn } from './meanings.js';
import { makeReport, type RunResult, type VerifyReport } from './report.js';
import { curlCommand, secretRedactor } from './report-text.js';
import { isRow } from './rows.js';
import { cachingClient, isOfLargeList, type Sampling, type Server, serverOf } from './server.js';
import {
  type Auth,
  bySession,
  byToken,
  type Secrets,
  secretValues,
  testCredentials,
} from './test-credentials.js';
import { type ThrottleOptions, throttle } from './throttle.js';

const page = { page: 1, limit: maxLimit };

/** The requests that a session is good for; the run sends them anyway. */
const sessionRequests = (auth: Auth): readonly RequestSpec[] => [
  requestTo(operations.listConnectedRepos, { auth }),
  ...listNames.map((name) => listRequest(name, page, auth)),
];

const tokenRequests = (auth: Auth): readonly RequestSpec[] => [
  listRequest('prs', page, auth),
  findingRequest(unknownFindingId, auth),
];

const sessionHint =
  'it may have expired or belong to another server; the cookie may have another name (--cookie)';
const tokenHint = 'it may be revoked, have expired or belong to another server';

/** Options with a valid credential, what may be wrong if nothing accepts it, and what it is good for. */
const presented: readonly (readonly [option: string, hint: string, readonly RequestSpec[]])[] = [
  ['--session', sessionHint, sessionRequests(bySession)],
  ['--token', tokenHint, tokenRequests(byToken)],
  ['--other-session', sessionHint, sessionRequests({ session: 'other session', bearer: null })],
  ['--other-token', tokenHint, tokenRequests({ session: null, bearer: 'other token' })],
];

/**
 * Why a run would say nothing about the server: the URL is wrong, no operation accepts a credential that
 * should be valid, or no response looks like the API. One sentence each. A server that is wrong in one
 * operation only is judged.
 */
const preflight = async (server: Server, url: string): Promise<readonly string[]> => {
  const requests = sessionRequests(bySession);
  // The first one goes alone: a server that cannot be reached or used gets no others.
  await exchangesOf(server, requests.slice(0, 1));
  const stranger = strangeness(await exchangesOf(server, requests), url);
  if (stranger !== null) return [stranger];
  const refusals = await Promise.all(
    presented.map(async ([option, hint, requests]) => {
      const exchanges = await exchangesOf(server, requests);
      return exchanges.length === requests.length && exchanges.every(isRefused)
        ? [`${option}: no operation accepts it (${statusesOf(exchanges)}); ${hint}`]
        : [];
    }),
  );
  const lines = refusals.flat();
  return lines.length > 0 && hasApiPath(url) ? [...lines, apiPathHint] : lines;
};

/** The exchanges of these requests; fewer, if some have no response or the run lacks the credential. */
const exchangesOf = async (
  server: Server,
  requests: readonly RequestSpec[],
): Promise<readonly Exchange[]> => {
  const results = await Promise.allSettled(requests.map((request) => server.response(request)));
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
};

const isRefused = ({ response: { status } }: Exchange): boolean => status === 401 || status === 403;

/** Why the server does not seem to be one of this API; null if at least one response looks like it. */
const strangeness = (exchanges: readonly Exchange[], url: string): string | null => {
  if (exchanges.length === 0 || !exchanges.every(isStrange)) return null;
  const location = exchanges.find(({ response }) => response.headers.location !== undefined);
  const hint =
    location !== undefined
      ? `it redirects to ${location.response.headers.location}: the URL may be another one, or the session may not be accepted`
      : hasApiPath(url)
        ? apiPathHint
        : 'pass the URL under which the server has /api/v1/repos';
  return `--url: no response looks like the API v1 (${statusesOf(exchanges)}); ${hint}`;
};

const hasApiPath = (url: string): boolean => /\/api(?:\/v1)?(?:\/|$)/.test(url);
const apiPathHint = 'pass the base URL of the server, without /api/v1';

/**
 * The response is not that of an operation: the path is not found, or the body is neither JSON nor anything
 * of the contract. A failure of the server (5xx) is judged by the checks.
 */
const isStrange = ({ response: { status }, body }: Exchange): boolean => {
  if (status >= 500 || status === 401) return false;
  if (status === 404 || body === undefined) return true;
  return (
    status === 200 && !Array.isArray(body) && !(isRow(body) && envelopeFields.some((name) => name in body))
  );
};

const envelopeFields = ['items', ...Object.keys(PageInfo.type.props)];

/** Such as "404, 200 with HTML". */
const statusesOf = (exchanges: readonly Exchange[]): string => {
  const kinds = exchanges.map(({ response: { status, headers }, body }) => {
    const isHtml = body === undefined && /html/i.test(headers['content-type'] ?? '');
    return isHtml ? `${status} with HTML` : String(status);
  });
  return [...new Set(kinds)].join(', ');
};

/** How far a run is: it runs each check once, and then confirms what comparisons have found. */
export type Progress = Readonly<{
  stage: 'checking' | 'confirming';
  /** The number of checks that are left in this stage. */
  left: number;
  /** The check that starts now. */
  check: Check;
}>;

export type RunOptions = Readonly<{
  /** The same server, with an empty cache. */
  newServer: () => Server;
  /** How many checks run at once. */
  concurrency: number;
  onProgress: (progress: Progress) => void;
}>;

/**
 * Runs all checks with one shared cache. Those of single responses come first, so that they are exercised
 * even if requests run out; those that judge all responses of the run come last, when the others have ended.
 */
export const runChecks = async (
  checks: readonly Check[],
  server: Server,
  options: RunOptions,
): Promise<RunResult> => {
  let left = checks.length;
  const runs: CheckRun[] = [];
  for (const stage of ['single', 'compared', 'run']) {
    const slots = limitConcurrency(options.concurrency);
    const running = checks
      .filter((check) => check.stage === stage)
      .map((check) =>
        slots(async () => {
          options.onProgress({ stage: 'checking', left, check });
          left -= 1;
          return runCheck(check, server);
        }),
      );
    runs.push(...(await Promise.all(running)));
  }
  const confirmed = await confirmViolations(runs, options);
  const results = checks.flatMap((check) => confirmed.get(check) ?? []);
  const stops = results.flatMap(({ verdict }) => ('stopped' in verdict && verdict.stopped) || []);
  return { results, stopped: stops[0] ?? null, exchanges: server.client.exchanges() };
};

/** The server to verify and the credentials to use, how thoroughly, and what a run works with. */
type VerifyOptions = Readonly<{
  url: string;
  cookieName: string;
  secrets: Secrets;
  sampling: Sampling;
  /** What to check: mistakes are told apart only with all that the contract requires. */
  checks: readonly Check[];
  /** How many per cent of the statements have to be exercised. */
  minExercised: number;
  send: Send;
  throttling: ThrottleOptions;
  /** The time of day, for the report. */
  wallClock: Clock;
  /** Called when a check starts, with the number of requests sent so far. */
  onProgress: (progress: Progress, requests: number) => void;
}>;

/**
 * Checks a server against the contract from outside. It sends safe requests only. `left`: the URL or a
 * credential is wrong, so that nothing can be said about the server; one sentence for each.
 */
export const verify = async (options: VerifyOptions): Promise<E.Either<readonly string[], VerifyReport>> => {
  const { url, cookieName, secrets, sampling, checks, minExercised, send, throttling, wallClock } = options;
  const sender = throttle(send, throttling);
  const credentials = testCredentials(secrets);
  const redact = secretRedactor(secretValues(credentials));
  const startedAt = wallClock();
  const newServer = () => serverOf(cachingClient(sender, cookieName), credentials, sampling);
  const server = newServer();
  const wrong = await preflight(server, url);
  if (wrong.length > 0) return E.left(wrong.map(redact));
  const result = await runChecks(checks, server, {
    newServer,
    concurrency: throttling.concurrency ?? 1,
    onProgress: (progress) => options.onProgress(progress, sender.sent()),
  });
  const metadata = {
    url,
    startedAt: timestampAt(startedAt),
    milliseconds: Math.round(wallClock() - startedAt),
    requests: sender.sent(),
    seed: !sampling.allPages && server.client.exchanges().some(isOfLargeList) ? sampling.seed : null,
  };
  const curlOf = (request: OutgoingRequest): string => curlCommand(url, cookieName, request);
  const mistakes = requiredChecks.every((check) => checks.includes(check)) ? mistakesIn(result) : [];
  return E.right(makeReport(result, mistakes, metadata, minExercised, { redact, curlOf }));
};
