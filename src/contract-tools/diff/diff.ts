import type { Send } from '../../client/fetch-send.js';
import { type ThrottleOptions, throttle } from '../../client/throttle.js';
import { secretRedactor } from '../report-text.js';
import type { CompareOptions } from './compare-responses.js';
import type { DiffReport } from './diff-report.js';
import { makeDiffReport } from './make-diff-report.js';
import { type Connection, type OnProgress, runDiff } from './run-diff.js';

/** A server to compare, and the credentials to use with it. */
export type DiffServer = Readonly<{ url: string; send: Send; session: string; token: string | null }>;

/** How to compare two servers. */
export type DiffOptions = Readonly<{
  /** Applied to each server on its own. */
  throttleOptions: ThrottleOptions;
  cookieName: string;
  compare: CompareOptions;
  onProgress: OnProgress;
}>;

/** Reports how two servers respond differently to the same requests. Only safe requests are sent. */
export const diff = async (
  left: DiffServer,
  right: DiffServer,
  { throttleOptions, cookieName, compare, onProgress }: DiffOptions,
): Promise<DiffReport> => {
  const connect = ({ send, session, token }: DiffServer): Connection => ({
    sender: throttle(send, throttleOptions),
    cookieName,
    credentials: {
      session: { name: 'session', value: session },
      token: token === null ? null : { name: 'token', value: token },
    },
  });
  const redact = secretRedactor([left, right].flatMap(({ session, token }) => [session, token ?? '']));
  const run = await runDiff(
    { left: connect(left), right: connect(right) },
    { options: compare, redact, onProgress },
  );
  return makeDiffReport(run, { left: redact(left.url), right: redact(right.url) });
};
