import type { ExecutionContext } from 'ava';
import { startTriageApi, type TriageApi, type TriageApiOptions } from '../../src/test-server/index.js';
import { now } from '../_data.js';

/** A server of the package's own entry, its clock standing at `now`, until the test is over. */
export const started = async (t: ExecutionContext, options: TriageApiOptions = {}): Promise<TriageApi> => {
  const server = await startTriageApi({ now, ...options });
  t.teardown(server.stop);
  return server;
};
