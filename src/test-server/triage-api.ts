/// <reference lib="esnext.disposable" preserve="true" />

import type { Controls } from '../in-process/controls.js';
import type { LiveControls as LiveControlsOver } from '../in-process/live-controls.js';
import type { ApiFetch } from './api-fetch.js';
import type { GivenFixtures } from './options.js';

/** Changes of a running server. Each is there for the next request, and rejects with a `TriageApiError`. */
export type LiveControls = LiveControlsOver<GivenFixtures>;

/** A server of the API v1 that runs in the process of the test. */
export type TriageApi = Readonly<{
  /** Its base URL without a trailing slash: `http://127.0.0.1:49152`. */
  url: string;
  /**
   * Sends a request with the session of a tenant, the first one unless `tenant` says otherwise, and keeps its
   * cookies as a browser would: after a login, requests have the new session, and after a logout none.
   */
  fetch: ApiFetch;
  /**
   * Stops the server and cuts off requests in flight. After it resolves, nothing of the server is left. Never
   * rejects. Whatever changes the server throws a `TriageApiError` from then on, or rejects with one; the
   * journal can still be read.
   */
  stop: () => Promise<void>;
  /** The same as `stop`, for `await using`. */
  [Symbol.asyncDispose]: () => Promise<void>;
}> &
  Controls<GivenFixtures>;
