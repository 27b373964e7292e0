import * as E from 'fp-ts/lib/Either.js';
import type { Send } from '../../src/client/http.js';
import { throttle } from '../../src/client/throttle.js';
import { cachingClient } from '../../src/verify/caching-client.js';
import { allChecks } from '../../src/verify/checks/all-checks.js';
import { lackOfEvidence } from '../../src/verify/lack-of-evidence.js';
import type { FetchContext } from '../../src/verify/needs.js';
import { preflight } from '../../src/verify/preflight.js';
import type { VerifyReport } from '../../src/verify/report.js';
import { runCheck } from '../../src/verify/run-check.js';
import { testCredentials } from '../../src/verify/test-credentials.js';
import { verify } from '../../src/verify/verify.js';
import { credentials, now } from './small-server-data.js';

/**
 * What `verify` says about a server. `Caught`: it breaks the statement `by`. `Refused`: `verify` stops with
 * exit code 2, because it does not look like the API. `Doubted`: too few statements were exercised. `Passed`:
 * exit code 0; `differs` are our decisions that the server does not share.
 */
export type Judgement =
  | Readonly<{ _tag: 'Caught'; by: string }>
  | Readonly<{ _tag: 'Refused'; by: string }>
  | Readonly<{ _tag: 'Doubted'; by: string }>
  | Readonly<{ _tag: 'Passed'; differs: readonly string[] }>;

const clock = (): number => Date.parse(now);
const throttling = { gap: 0, maxRequests: 1000, concurrency: 1, clock, sleep: async () => {} };
const target = { url: 'http://small.test', cookieName: 'session', secrets: credentials };
const sampling = { seed: 1, allPages: false };

/** The report of `verify` on a server, with its default settings and every optional credential. */
export const reportOn = (send: Send): Promise<E.Either<readonly string[], VerifyReport>> =>
  verify({ send, throttling, wallClock: clock, onProgress: () => {} }, target, {
    sampling,
    minExercised: 90,
  });

const required = allChecks
  .filter(({ level }) => level === 'must')
  .sort((left, right) => left.cost - right.cost || 0);

/** The first statement that a server breaks, without anything that comes after it. */
const firstBroken = async (send: Send): Promise<string | null> => {
  const context: FetchContext = {
    client: cachingClient(throttle(send, throttling), target.cookieName),
    credentials: testCredentials(credentials),
    sampling,
  };
  // `verify` gives up here; what it says is asked of it.
  if ((await preflight(context, target.url)).length > 0) return null;
  for (const check of required) {
    const { outcome } = await runCheck(check, context);
    if (E.isRight(outcome) && outcome.right._tag === 'Violated') return check.id;
  }
  return null;
};

/**
 * Judges a server as `verify` does, and stops at the first statement that it breaks. The server must answer
 * the same request in the same way each time: violations are not confirmed.
 */
export const judgeServer = async (send: Send): Promise<Judgement> => {
  const broken = await firstBroken(send);
  if (broken !== null) return { _tag: 'Caught', by: broken };
  const report = await reportOn(send);
  if (E.isLeft(report)) return { _tag: 'Refused', by: report.left.join('; ') };
  const failed = report.right.checks.find(({ level, outcome }) => level === 'must' && outcome === 'failed');
  if (failed !== undefined) return { _tag: 'Caught', by: failed.id };
  const doubt = report.right.stopped ?? lackOfEvidence(report.right);
  if (doubt !== null) return { _tag: 'Doubted', by: doubt };
  const differing = report.right.checks.filter(({ outcome }) => outcome === 'differs');
  return { _tag: 'Passed', differs: differing.map(({ id }) => id) };
};
