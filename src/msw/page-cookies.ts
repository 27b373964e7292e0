import { sessionCookieName } from '../contract/credential-kind.js';

/**
 * A request with the session cookie of its page. In a browser, a service worker does not see the header
 * `Cookie`; the cookies that scripts can read are handed over apart.
 */
export const withPageCookies = (request: Request, cookies: Readonly<Record<string, string>>): Request => {
  const session = cookies[sessionCookieName];
  if (session === undefined || request.headers.has('cookie')) return request;
  const headers = new Headers(request.headers);
  headers.set('Cookie', `${sessionCookieName}=${session}`);
  return new Request(request, { headers });
};
