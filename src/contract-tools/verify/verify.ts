import * as E from '#fp-ts/Either';
import type { Send } from '../../client/fetch-send.js';
import { type ThrottleOptions, throttle } from '../../client/throttle.js';
import type { Clock } from '../../common/clock.js';
import { timestampAt } from '../../contract/codecs/timestamp.js';
import { secretRedactor } from '../report-text.js';
import { cachingClient } from './caching-client.js';
import { allChecks } from './checks/all-checks.js';
import { isOfLargeList } from './list-needs.js';
import { makeReport } from './make-report.js';
import type { FetchContext, Sampling } from './need.js';
import { preflight } from './preflight.js';
import type { VerifyReport } from './report.js';
import { type Progress, runChecks } from './run-checks.js';
import { type Secrets, secretValues, testCredentials } from './test-credentials.js';

export type VerifyDependencies = Readonly<{
  send: Send;
  throttling: ThrottleOptions;
  /** The time of day, for the report. */
  wallClock: Clock;
  /** Called when a check starts, with the number of requests sent so far. */
  onProgress: (progress: Progress, requests: number) => void;
}>;

/** The server to verify, and the credentials to use. */
export type VerifyTarget = Readonly<{ url: string; cookieName: string; secrets: Secrets }>;

/** How thoroughly to verify it. */
export type VerifyOptions = Readonly<{
  sampling: Sampling;
  /** How many per cent of the statements have to be exercised. */
  minExercised: number;
}>;

/**
 * Checks a server against the contract from outside. It sends safe requests only. `left`: the URL or a
 * credential is wrong, so that nothing can be said about the server; one sentence for each.
 */
export const verify = async (
  { send, throttling, wallClock, onProgress }: VerifyDependencies,
  { url, cookieName, secrets }: VerifyTarget,
  { sampling, minExercised }: VerifyOptions,
): Promise<E.Either<readonly string[], VerifyReport>> => {
  const sender = throttle(send, throttling);
  const credentials = testCredentials(secrets);
  const redact = secretRedactor(secretValues(credentials));
  const startedAt = wallClock();
  const newContext = (): FetchContext => ({
    client: cachingClient(sender, cookieName),
    credentials,
    sampling,
  });
  const context = newContext();
  const wrong = await preflight(context, url);
  if (wrong.length > 0) return E.left(wrong.map(redact));
  const result = await runChecks(allChecks, context, {
    newContext,
    concurrency: throttling.concurrency ?? 1,
    onProgress: (progress) => onProgress(progress, sender.sent()),
  });
  return E.right(
    makeReport(
      result,
      {
        url,
        startedAt: timestampAt(startedAt),
        milliseconds: Math.round(wallClock() - startedAt),
        requests: sender.sent(),
        seed: !sampling.allPages && context.client.exchanges().some(isOfLargeList) ? sampling.seed : null,
      },
      minExercised,
      redact,
    ),
  );
};
