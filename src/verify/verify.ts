import type { Send } from '../asking/http.js';
import { type Pace, politely } from '../asking/politely.js';
import { redactor } from '../asking/redactor.js';
import type { Clock } from '../vocabulary/clock.js';
import { timestampAt } from '../vocabulary/timestamp.js';
import type { Check } from './check.js';
import { allChecks } from './checks/all-checks.js';
import { credentialsOf, type Secrets } from './credentials.js';
import { makeReport } from './make-report.js';
import { askThrough } from './reading.js';
import type { VerifyReport } from './report.js';
import { runChecks } from './run-checks.js';

/** What a run is a function of. */
export type VerifyDependencies = Readonly<{
  send: Send;
  pace: Pace;
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
  const sender = politely(send, pace);
  const credentials = credentialsOf(secrets);
  const began = wallClock();
  const run = await runChecks(allChecks, () => ({ ...askThrough(sender, cookieName), credentials }), tell);
  const redact = redactor(
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
