import type { Send } from '../client/http.js';
import { secretRedactor } from '../client/redact-secrets.js';
import { type ThrottleOptions, throttle } from '../client/throttle.js';
import { timestampAt } from '../codecs/timestamp.js';
import type { Clock } from '../common/clock.js';
import { cachingClient } from './caching-client.js';
import { allChecks } from './checks/all-checks.js';
import { makeReport } from './make-report.js';
import type { VerifyReport } from './report.js';
import { type OnProgress, runChecks } from './run-checks.js';
import { type Secrets, secretValues, testCredentials } from './test-credentials.js';

export type VerifyDependencies = Readonly<{
  send: Send;
  throttling: ThrottleOptions;
  /** The time of day, for the report. */
  wallClock: Clock;
  onProgress: OnProgress;
}>;

/** The server to verify, and the credentials to use. */
export type VerifyTarget = Readonly<{ url: string; cookieName: string; secrets: Secrets }>;

/** Checks a server against the contract from outside. It sends safe requests only. */
export const verify = async (
  { send, throttling, wallClock, onProgress }: VerifyDependencies,
  { url, cookieName, secrets }: VerifyTarget,
): Promise<VerifyReport> => {
  const sender = throttle(send, throttling);
  const credentials = testCredentials(secrets);
  const startedAt = wallClock();
  const result = await runChecks(
    allChecks,
    () => ({ client: cachingClient(sender, cookieName), credentials }),
    onProgress,
  );
  const redact = secretRedactor(secretValues(credentials));
  return makeReport(
    result,
    {
      url,
      startedAt: timestampAt(startedAt),
      milliseconds: Math.round(wallClock() - startedAt),
      requests: sender.sent(),
    },
    redact,
  );
};
