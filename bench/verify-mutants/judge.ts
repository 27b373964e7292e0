import { createContext, Script } from 'node:vm';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { HttpRequest, HttpResponse, NoResponse, Send } from '../../src/client/fetch-send.js';
import { parseJson } from '../../src/common/json.js';
import { type Timestamp, timestampAt } from '../../src/contract/codecs/timestamp.js';
import { throttle } from '../../src/contract-tools/throttle.js';
import { type Check, type CheckLevel, runCheck } from '../../src/contract-tools/verify/check.js';
import { allChecks } from '../../src/contract-tools/verify/checks/all-checks.js';
import { type CheckResult, lackOfEvidence, makeReport } from '../../src/contract-tools/verify/report.js';
import { cachingClient } from '../../src/contract-tools/verify/requests.js';
import { testCredentials } from '../../src/contract-tools/verify/test-credentials.js';
import { preflight } from '../../src/contract-tools/verify/verify.js';
import type { Dataset } from '../../src/records/dataset.js';
import { secrets, world } from '../../test/contract-tools/verify/_judge.js';
import type { Tenant } from './small-server.js';

// The data of the small server

/** The moment at which the small server answers, and which the shipped fixtures belong to. */
const now = '2026-11-20T12:00:00.000Z';

const earlier = (timestamp: Timestamp, days: number): Timestamp =>
  timestampAt(Date.parse(timestamp) - days * 86_400_000);

/** Scans at many different times: repositories in the order of their ids are then not sorted by scan. */
const scattered = (scans: Dataset['scans']): Dataset['scans'] =>
  scans.map((scan, index) => {
    const days = (index * 7) % 11;
    return {
      ...scan,
      startedAt: earlier(scan.startedAt, days),
      finishedAt: earlier(scan.finishedAt, days),
    };
  });

const expiredAt = '2026-10-18T12:00:00.000Z';

/** Every user has an expired session and an expired token besides the valid ones. */
const tenantOf = ({ user, sessions, apiTokens, scans, ...rows }: Dataset): Tenant => ({
  ...rows,
  scans: scattered(scans),
  sessions: [
    { value: `${user.id}-session-expired`, expiresAt: expiredAt },
    ...sessions.map(({ value, expiresAt }) => ({ value, expiresAt })),
  ],
  tokens: [
    { value: `${user.id}-token-expired`, expiresAt: expiredAt },
    ...apiTokens
      .filter(({ revokedAt }) => revokedAt === null)
      .map(({ token, expiresAt }) => ({ value: token, expiresAt })),
  ],
});

/** Three users of the shipped fixtures, which together exercise every statement. */
const tenants: readonly Tenant[] = world.map(tenantOf);

// A server that may be broken

/** How many milliseconds a server may take to answer; long enough for a busy machine. */
const defaultTimeLimit = 5000;

const Answered = t.type({ status: t.number, headers: t.record(t.string, t.string), text: t.string });

const data = JSON.stringify({ tenants, now });
const request = new Script('JSON.stringify(answer(JSON.parse(request)))');

/**
 * Starts a server from the compiled text of `small-server.ts`, which may be broken, in a context of its own.
 * Requests and responses are passed as JSON, as they would be over the network. `null`: it throws when it
 * starts. A server that does not answer within `timeLimit` milliseconds never answers again.
 */
export const sandboxedServer = (text: string, timeLimit = defaultTimeLimit): Send | null => {
  const script = text.replaceAll(/^export (?=const )/gm, '').replace(/^export \{\};$/m, '');
  const context = createContext({ URLSearchParams, data, request: '' });
  try {
    new Script(
      `${script}\nconst { tenants, now } = JSON.parse(data);\nconst answer = smallServer(tenants, now);`,
    ).runInContext(context, { timeout: timeLimit });
  } catch {
    return null;
  }
  let isStuck = false;
  return async (sent) => {
    if (isStuck) return noAnswer;
    context.request = JSON.stringify(withLowerCaseNames(sent));
    const answered = run(() => request.runInContext(context, { timeout: timeLimit }));
    isStuck = answered === 'too late';
    return answered === 'too late' ? noAnswer : E.right(answered);
  };
};

const noAnswer = E.left<NoResponse>({ _tag: 'Unreachable', reason: 'the server does not answer' });

const withLowerCaseNames = ({ headers, ...rest }: HttpRequest): HttpRequest => ({
  ...rest,
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
});

/** The response if the server throws or returns no response: HTTP frameworks answer 500 then. */
const fault: HttpResponse = {
  status: 500,
  headers: { 'content-type': 'application/json' },
  text: '{"error":"Internal server error"}',
};

const run = (answer: () => unknown): HttpResponse | 'too late' => {
  try {
    const text = answer();
    const value: unknown = typeof text === 'string' ? parseJson(text) : undefined;
    return Answered.is(value) ? value : fault;
  } catch (cause) {
    return isTimeout(cause) ? 'too late' : fault;
  }
};

const isTimeout = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

// What verify says about it

/**
 * What `verify` says about a server. `Caught`: it breaks the statement `by`. `Refused`: it does not look like
 * the API or accepts no valid credential, which is exit code 2. `Doubted`: too few statements are exercised.
 * `Passed`: exit code 0; `notExercised` are statements of the contract.
 */
export type Judgement =
  | Readonly<{ _tag: 'Caught' | 'Refused' | 'Doubted'; by: string }>
  | Readonly<{ _tag: 'Passed'; notExercised: readonly string[] }>;

const url = 'http://small.test';
const minExercised = 90;
const clock = (): number => Date.parse(now);

/** They judge what the other checks have requested, and come last. */
const judgingTheRun = allChecks.filter(({ cost }) => !Number.isFinite(cost));

/** They send requests of their own. */
const others = allChecks.filter(({ cost }) => Number.isFinite(cost));

/** Those of one level, the ones with few requests first, as `verify` runs them. */
const byLevel = (level: CheckLevel): readonly Check[] =>
  others.filter((check) => check.level === level).toSorted((left, right) => left.cost - right.cost);

/** What the contract requires first, so that most wrong servers are noticed after a few requests. */
const checks = [...byLevel('must'), ...byLevel('info'), ...judgingTheRun];

/**
 * Judges a server as `verify` does with its default settings and every optional credential, but stops at the
 * first statement that it breaks. The server must answer the same request in the same way each time:
 * violations are not confirmed.
 */
export const judgeServer = async (send: Send): Promise<Judgement> => {
  const throttled = throttle(send, {
    gap: 0,
    maxRequests: 1000,
    concurrency: 1,
    clock,
    sleep: async () => {},
  });
  const context = {
    client: cachingClient(throttled, 'session'),
    credentials: testCredentials(secrets),
    sampling: { seed: 1, allPages: false },
  };
  const [refusal] = await preflight(context, url);
  if (refusal !== undefined) return { _tag: 'Refused', by: refusal };
  const results: CheckResult[] = [];
  for (const check of checks) {
    const { verdict } = await runCheck(check, context);
    if (check.level === 'must' && verdict._tag === 'Violated') return { _tag: 'Caught', by: check.id };
    results.push({ check, verdict });
  }
  return passed(results);
};

/** The judgement of a server that breaks no statement: whether enough of them was exercised. */
const passed = (results: readonly CheckResult[]): Judgement => {
  const metadata = { url, startedAt: timestampAt(clock()), milliseconds: 0, requests: 0, seed: null };
  const report = makeReport({ results, stopped: null }, metadata, minExercised, (text) => text);
  const doubt = lackOfEvidence(report);
  if (doubt !== null) return { _tag: 'Doubted', by: doubt };
  const notExercised = report.checks.filter(
    ({ level, outcome }) => level === 'must' && outcome === 'not exercised',
  );
  return { _tag: 'Passed', notExercised: notExercised.map(({ id }) => id) };
};
