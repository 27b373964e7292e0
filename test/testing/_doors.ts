import type { ExecutionContext } from 'ava';
import {
  type Controls,
  type FetchHandlerOptions,
  fetchHandler,
  type GivenFixtures,
} from '../../src/testing/fetch-handler.js';
import { startTriageApi } from '../../src/testing/server.js';
import { now, shippedFixture } from './_pair.js';

/** A door to the service over the fixture `acme`, and its controls. */
export type Door = Readonly<{
  name: 'server' | 'handler';
  controls: Controls<GivenFixtures>;
  /** Sends a request with the session of a tenant, the first one by default; null: of nobody. */
  ask: (path: string, init?: RequestInit, session?: string | null) => Promise<Response>;
}>;

/** Tests a behaviour through both doors: that of a server, and that of `fetch`. */
export const throughBothDoors =
  (behaviour: (t: ExecutionContext, door: Door) => Promise<void>, options: FetchHandlerOptions = {}) =>
  async (t: ExecutionContext): Promise<void> => {
    const fixtures = shippedFixture('acme');
    const server = await startTriageApi({ fixtures, now, ...options });
    t.teardown(server.stop);
    const handler = fetchHandler(fixtures, { now, ...options });
    const doors: readonly Omit<Door, 'ask'>[] = [
      { name: 'server', controls: server },
      { name: 'handler', controls: handler },
    ];
    for (const { name, controls } of doors) {
      const send = (request: Request) => (name === 'server' ? fetch(request) : handler(request));
      await behaviour(t, {
        name,
        controls,
        ask: async (path, init = {}, session = controls.session) => {
          const request = new Request(`${server.url}${path}`, { redirect: 'manual', ...init });
          if (session !== null && !request.headers.has('cookie'))
            request.headers.set('Cookie', `session=${session}`);
          return send(request);
        },
      });
    }
  };
