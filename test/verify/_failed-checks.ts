import * as E from 'fp-ts/lib/Either.js';
import type { Send } from '../../src/client/http.js';
import { throttle } from '../../src/client/throttle.js';
import { cachingClient } from '../../src/verify/caching-client.js';
import type { Check } from '../../src/verify/check.js';
import { testCredentials } from '../../src/verify/test-credentials.js';
import { at, now } from '../_data.js';
import { secrets } from './_judge.js';

/** The ids of those of the given checks that a server violates. Only what they need is requested. */
export const failedChecks = async (checks: readonly Check[], send: Send): Promise<readonly string[]> => {
  const options = { gap: 0, maxRequests: 2000, clock: () => at(now), sleep: async () => {} };
  const context = {
    client: cachingClient(throttle(send, options), 'session'),
    credentials: testCredentials(secrets),
    sampling: { seed: 1, allPages: false },
  };
  const failed: string[] = [];
  for (const check of checks) {
    const verdict = await check.run(context)();
    if (E.isRight(verdict) && verdict.right._tag === 'Violated') failed.push(check.id);
  }
  return failed;
};
