import type { Send } from '../client/http.js';
import { secretRedactor } from '../client/redact-secrets.js';
import { type ThrottleOptions, throttle } from '../client/throttle.js';
import { timestampAt } from '../codecs/timestamp.js';
import type { Clock } from '../common/clock.js';
import type { Check } from './check.js';
import { allChecks } from './checks/all-checks.js';
import { makeReport } from './make-report.js';
import { askThrough } from './reading.js';
import type { VerifyReport } from './report.js';
import { runChecks } from './run-checks.js';
import { credentialsOf, type Secrets } from './test-credentials.js';

/** What a run is a function of. */
export type VerifyDependencies = Readonly<{
  send: Send;
  pace: ThrottleOptions;
  /** The time of day, for the report. */
  wallClock: Clock;
  tell: (done: number, of: number, check: Check) => void;
}>;

/** Whom to judge, and as whom. */
export type VerifySubject = Readonly<{ url: string; cookieName: string; secrets: Secrets }>;

/** Judges a server against the contract: every statement that can be seen from outside, by safe requests alone. */
export const verify = async (
  { send, pace, wallClock, tell }: VerifyDependencies,
  { url, cookieName, secrets }: VerifySubject,
): Promise<VerifyReport> => {
  const sender = throttle(send, pace);
  const credentials = credentialsOf(secrets);
  const began = wallClock();
  const run = await runChecks(allChecks, () => ({ ...askThrough(sender, cookieName), credentials }), tell);
  const redact = secretRedactor(
    Object.values(credentials).flatMap((credential) => (credential === null ? [] : [credential.value])),
  );
  return makeReport(
    run,
    {
      url,
      startedAt: timestampAt(began),
      milliseconds: Math.round(wallClock() - began),
      requests: sender.sent(),
    },
    redact,
  );
};
