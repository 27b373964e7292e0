import type { HttpRequest, SafeMethod } from './http.js';
import type { NamedSecret } from './named-secret.js';

/** Who asks: what stands in the session cookie, and what in the `Authorization` header. */
export type RequestAuth = Readonly<{ session: NamedSecret | null; bearer: NamedSecret | null }>;

/** The parameters of a query, in their order. */
export type Query = readonly (readonly [name: string, value: string])[];

/** A request as checks think of it. */
export type ApiRequest = Readonly<{ method: SafeMethod; path: string; query: Query; who: RequestAuth }>;

export const anonymous: RequestAuth = { session: null, bearer: null };
export const withSession = (session: NamedSecret): RequestAuth => ({ session, bearer: null });
export const withToken = (bearer: NamedSecret): RequestAuth => ({ session: null, bearer });

export const getRequest = (path: string, query: Query, who: RequestAuth): ApiRequest => ({
  method: 'GET',
  path,
  query,
  who,
});

/** The same for people, credentials by their names only. */
export const describeRequest = ({ method, path, query, who }: ApiRequest): string => {
  const { session, bearer } = who;
  const names = [
    ...(session === null ? [] : [`cookie: ${session.name}`]),
    ...(bearer === null ? [] : [`bearer: ${bearer.name}`]),
  ];
  return `${method} ${targetOf(path, query)} (${names.join(', ') || 'no credentials'})`;
};

/** The same as it travels. */
export const toHttpRequest = (cookieName: string, { method, path, query, who }: ApiRequest): HttpRequest => ({
  method,
  target: targetOf(path, query),
  headers: {
    Accept: 'application/json',
    ...(who.session === null ? {} : { Cookie: `${cookieName}=${who.session.value}` }),
    ...(who.bearer === null ? {} : { Authorization: `Bearer ${who.bearer.value}` }),
  },
});

const targetOf = (path: string, query: Query): string =>
  query.length === 0
    ? path
    : `${path}?${query.map(([name, value]) => `${name}=${encodePathSegment(value)}`).join('&')}`;

/** Text of a server as a part of a URL. Half of a surrogate pair, which JSON can hold and a URL cannot, becomes U+FFFD. */
export const encodePathSegment = (text: string): string => encodeURIComponent(text.toWellFormed());
