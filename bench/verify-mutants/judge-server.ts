import type { Send } from '../../src/client/http.js';
import { throttle } from '../../src/client/throttle.js';
import { timestampAt } from '../../src/codecs/timestamp.js';
import { cachingClient } from '../../src/verify/caching-client.js';
import type { Check, CheckLevel } from '../../src/verify/check.js';
import { allChecks } from '../../src/verify/checks/all-checks.js';
import { lackOfEvidence } from '../../src/verify/lack-of-evidence.js';
import { makeReport } from '../../src/verify/make-report.js';
import { preflight } from '../../src/verify/preflight.js';
import { runCheck } from '../../src/verify/run-check.js';
import { type CheckResult, verdictIn } from '../../src/verify/run-checks.js';
import { testCredentials } from '../../src/verify/test-credentials.js';
import { credentials, now } from './small-server-data.js';

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
    credentials: testCredentials(credentials),
    sampling: { seed: 1, allPages: false },
  };
  const [refusal] = await preflight(context, url);
  if (refusal !== undefined) return { _tag: 'Refused', by: refusal };
  const results: CheckResult[] = [];
  for (const check of checks) {
    const verdict = verdictIn((await runCheck(check, context)).outcome);
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
