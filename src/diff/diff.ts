import type { Send } from '../client/http.js';
import { secretRedactor } from '../client/redact-secrets.js';
import { type ThrottleOptions, throttle } from '../client/throttle.js';
import { cachingClient } from '../verify/caching-client.js';
import type { DiffReport } from './diff-report.js';
import { makeDiffReport } from './make-diff-report.js';
import { runDiff } from './run-diff.js';
import type { Side } from './side.js';

/** A server to compare: how it is reached, and as whom. */
export type DiffSubject = Readonly<{ url: string; send: Send; session: string; token: string | null }>;

/** How to compare. */
export type DiffManner = Readonly<{
  pace: ThrottleOptions;
  cookieName: string;
  /** Whether values are compared, too. */
  values: boolean;
  tell: (done: number, of: number, request: string) => void;
}>;

/** Tells how two servers answer the same requests differently, by safe requests alone. Each has a pace of its own. */
export const diff = async (
  left: DiffSubject,
  right: DiffSubject,
  { pace, cookieName, values, tell }: DiffManner,
): Promise<DiffReport> => {
  const sideOf = ({ send, session, token }: DiffSubject): Side => ({
    client: cachingClient(throttle(send, pace), cookieName),
    session: { name: 'session', value: session },
    token: token === null ? null : { name: 'token', value: token },
  });
  const run = await runDiff({ left: sideOf(left), right: sideOf(right) }, values, tell);
  const secrets = [left, right].flatMap(({ session, token }) => [
    session,
    ...(token === null ? [] : [token]),
  ]);
  return makeDiffReport(run, { left: left.url, right: right.url }, secretRedactor(secrets));
};
