import * as E from '#fp-ts/Either';
import { operations } from '../../contract/operations.js';
import { maxLimit, PageInfo } from '../../contract/page-and-limit.js';
import type { Exchange } from './caching-client.js';
import { isRow } from './json-rows.js';
import type { FetchContext } from './need.js';
import { response } from './request-needs.js';
import {
  findingRequest,
  listNames,
  listRequest,
  type RequestSpec,
  requestTo,
  unknownFindingId,
} from './requests.js';
import { type Auth, bySession, byToken } from './test-credentials.js';

/**
 * A credential that has to be valid: the option that gives it, the requests that it is good for, and what may
 * be wrong if none of them accepts it.
 */
type Presented = Readonly<{ option: string; requests: readonly RequestSpec[]; hint: string }>;

const page = { page: 1, limit: maxLimit };

/** The requests that a session is good for; the run sends them anyway. */
const sessionRequests = (auth: Auth): readonly RequestSpec[] => [
  requestTo(operations.listConnectedRepos, { auth }),
  ...listNames.map((name) => listRequest(name, page, auth)),
];

const tokenRequests = (auth: Auth): readonly RequestSpec[] => [
  listRequest('prs', page, auth),
  findingRequest(unknownFindingId, auth),
];

const sessionHint =
  'it may have expired or belong to another server; the cookie may have another name (--cookie)';
const tokenHint = 'it may be revoked, have expired or belong to another server';

const presented: readonly Presented[] = [
  { option: '--session', requests: sessionRequests(bySession), hint: sessionHint },
  { option: '--token', requests: tokenRequests(byToken), hint: tokenHint },
  {
    option: '--other-session',
    requests: sessionRequests({ session: 'otherSession', bearer: null }),
    hint: sessionHint,
  },
  {
    option: '--other-token',
    requests: tokenRequests({ session: null, bearer: 'otherToken' }),
    hint: tokenHint,
  },
];

/**
 * Why a run would say nothing about the server: no operation accepts a credential that should be valid, or
 * no response looks like the API. One sentence each. A server that is wrong in one operation only is judged.
 */
export const preflight = async (context: FetchContext, url: string): Promise<readonly string[]> => {
  const requests = sessionRequests(bySession);
  // The first one goes alone: a server that cannot be reached or used gets no others.
  await exchangesOf(context, requests.slice(0, 1));
  const own = await exchangesOf(context, requests);
  const stranger = strangeness(own, url);
  if (stranger !== null) return [stranger];
  const refusals = await Promise.all(
    presented.map(async ({ option, requests, hint }) => {
      const exchanges = await exchangesOf(context, requests);
      return exchanges.length === requests.length && exchanges.every(isRefused)
        ? [`${option}: no operation accepts it (${statusesOf(exchanges)}); ${hint}`]
        : [];
    }),
  );
  const lines = refusals.flat();
  return lines.length > 0 && hasApiPath(url) ? [...lines, apiPathHint] : lines;
};

/** The exchanges of these requests; fewer, if some have no response or the run lacks the credential. */
const exchangesOf = async (
  context: FetchContext,
  requests: readonly RequestSpec[],
): Promise<readonly Exchange[]> => {
  const fetched = await Promise.all(requests.map((request) => response(request).fetch(context)()));
  return fetched.flatMap((result) => (E.isRight(result) ? result.right.map(({ value }) => value) : []));
};

const isRefused = ({ response: { status } }: Exchange): boolean => status === 401 || status === 403;

/** Why the server does not seem to be one of this API; null if at least one response looks like it. */
const strangeness = (exchanges: readonly Exchange[], url: string): string | null => {
  if (exchanges.length === 0 || !exchanges.every(isStrange)) return null;
  const location = exchanges.find(({ response }) => response.headers.location !== undefined);
  const hint =
    location !== undefined
      ? `it redirects to ${location.response.headers.location}: the URL may be another one, or the session may not be accepted`
      : hasApiPath(url)
        ? apiPathHint
        : 'pass the URL under which the server has /api/v1/repos';
  return `--url: no response looks like the API v1 (${statusesOf(exchanges)}); ${hint}`;
};

const hasApiPath = (url: string): boolean => /\/api(?:\/v1)?(?:\/|$)/.test(url);
const apiPathHint = 'pass the base URL of the server, without /api/v1';

/**
 * The response is not that of an operation: the path is not found, or the body is neither JSON nor anything
 * of the contract. A failure of the server (5xx) is judged by the checks.
 */
const isStrange = ({ response: { status }, body }: Exchange): boolean => {
  if (status >= 500 || status === 401) return false;
  if (status === 404 || body === undefined) return true;
  return (
    status === 200 && !Array.isArray(body) && !(isRow(body) && envelopeFields.some((name) => name in body))
  );
};

const envelopeFields = ['items', ...Object.keys(PageInfo.type.props)];

/** Such as "404, 200 with HTML". */
const statusesOf = (exchanges: readonly Exchange[]): string => {
  const kinds = exchanges.map(({ response: { status, headers }, body }) => {
    const isHtml = body === undefined && /html/i.test(headers['content-type'] ?? '');
    return isHtml ? `${status} with HTML` : String(status);
  });
  return [...new Set(kinds)].join(', ');
};
