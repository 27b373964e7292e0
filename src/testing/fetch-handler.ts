/** The entry `triage-api/fetch-handler`: the API without a server (docs/msw.md). */

import type { RequestHeaders } from '../api/request.js';
import { allowedHosts, isOfThisSite } from '../common/own-hosts.js';
import { connectionCut } from '../start/fetch.js';
import { openHandler } from './open-handler.js';
import type { Controls } from './test-controls.js';
import { type FetchHandlerOptions, type GivenFixtures, HandlerOptions } from './test-options.js';

export * from './test-controls.js';
export type { FetchHandlerOptions, GivenFixtures } from './test-options.js';

/**
 * Whether a request may use the controls. The host of the URL alone proves nothing, because some frameworks
 * choose it, and leave what the client sent in the header.
 */
const mayControl = ({
  controls,
  allowedHosts: listed = [],
}: Pick<FetchHandlerOptions, 'controls' | 'allowedHosts'>) => {
  const isAllowedHost = allowedHosts(listed);
  return ({ host, protocol }: URL, headers: RequestHeaders): boolean =>
    controls ??
    ([host, String(headers.host ?? host)].every(isAllowedHost) &&
      isOfThisSite({ host, ...headers }, protocol, isAllowedHost));
};

/** The API v1 as a function from a request to its response, and the controls of what it answers. */
export type FetchHandler = ((request: Request) => Promise<Response>) & Controls<GivenFixtures>;

/**
 * Makes a handler of the API v1 over fixtures, which needs no server: it runs wherever there are `Request`
 * and `Response`. Throws a `TriageApiError` that lists all problems of the fixtures and the options. As with
 * `fetch`, the function rejects with a `TypeError` if the connection is cut, and with the reason of the
 * signal if the client has given up.
 */
export const fetchHandler = (fixtures: GivenFixtures, options: FetchHandlerOptions = {}): FetchHandler => {
  const { open } = openHandler(fixtures, options, HandlerOptions, ({ basePath = '', ...trust }) => ({
    basePath,
    pages: true,
    mayControl: mayControl(trust),
  }));
  let opened: ReturnType<typeof open> | undefined;
  const whenOpen = () => {
    opened ??= open();
    return opened;
  };
  const handle = async (request: Request): Promise<Response> => {
    if (request.signal.aborted) throw request.signal.reason;
    const answer = await whenOpen().answer(request, { cookie: null, remembers: false });
    if (answer === 'Gone') throw request.signal.reason;
    if (typeof answer === 'string') throw connectionCut();
    return answer;
  };
  const controlled = new Proxy(handle, {
    get: (target, name) => Reflect.get(name in target ? target : whenOpen().controls, name),
  });
  assertControls(controlled);
  return controlled;
};

/** The compiler does not see what a proxy adds. */
function assertControls<T>(_: T): asserts _ is T & Controls<GivenFixtures> {}
