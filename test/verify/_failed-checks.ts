import type { Send } from '../../src/client/http.js';
import { throttle } from '../../src/client/throttle.js';
import { cachingClient } from '../../src/verify/caching-client.js';
import type { Check } from '../../src/verify/check.js';
import type { FetchContext } from '../../src/verify/need.js';
import { runChecks } from '../../src/verify/run-checks.js';
import { testCredentials } from '../../src/verify/test-credentials.js';
import { at, now } from '../_data.js';
import { secrets } from './_judge.js';

/** Makes contexts that share a sender, each with an empty cache. */
const contexts = (send: Send): (() => FetchContext) => {
  const options = { gap: 0, maxRequests: 2000, clock: () => at(now), sleep: async () => {} };
  const sender = throttle(send, options);
  return () => ({
    client: cachingClient(sender, 'session'),
    credentials: testCredentials(secrets),
    sampling: { seed: 1, allPages: false },
  });
};

/**
 * The ids of those of the given checks that a server fails in a run, which confirms what comparisons have
 * found. Only what they need is requested.
 */
export const failedChecks = async (checks: readonly Check[], send: Send): Promise<readonly string[]> => {
  const newContext = contexts(send);
  const options = { newContext, concurrency: 4, onProgress: () => {} };
  const { results } = await runChecks(checks, newContext(), options);
  return results.flatMap(({ check, verdict }) => (verdict._tag === 'Violated' ? [check.id] : []));
};
