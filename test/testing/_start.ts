import type { ExecutionContext } from 'ava';
import {
  startTriageApi,
  type TriageApi,
  TriageApiError,
  type TriageApiOptions,
} from '../../src/testing/server.js';
import { now } from '../_data.js';

/**
 * Starts a server with the main export of the package, which stops when the test ends. Its clock is frozen at
 * `now`.
 */
export const started = async (t: ExecutionContext, options: TriageApiOptions = {}): Promise<TriageApi> => {
  const server = await startTriageApi({ now, ...options });
  t.teardown(server.stop);
  return server;
};

/** The problems with which a call rejects. */
export const problemsOf = async (call: Promise<unknown>): Promise<readonly string[]> => {
  const error: unknown = await call.then(
    () => 'done',
    (reason: unknown) => reason,
  );
  return error instanceof TriageApiError ? error.problems : [`no problems: ${String(error)}`];
};
