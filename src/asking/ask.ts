import type { Credential } from './credential.js';
import type { Method, WireRequest } from './http.js';

/** Who asks: what stands in the session cookie, and what in the `Authorization` header. */
export type Who = Readonly<{ session: Credential | null; bearer: Credential | null }>;

/** The parameters of a query, in their order. */
export type Query = readonly (readonly [name: string, value: string])[];

/** A request as checks think of it. */
export type Ask = Readonly<{ method: Method; path: string; query: Query; who: Who }>;

export const nobody: Who = { session: null, bearer: null };
export const bySession = (session: Credential): Who => ({ session, bearer: null });
export const byToken = (bearer: Credential): Who => ({ session: null, bearer });

export const get = (path: string, query: Query, who: Who): Ask => ({ method: 'GET', path, query, who });

/** The same for people, credentials by their names only. */
export const describeAsk = ({ method, path, query, who }: Ask): string => {
  const { session, bearer } = who;
  const names = [
    ...(session === null ? [] : [`cookie: ${session.name}`]),
    ...(bearer === null ? [] : [`bearer: ${bearer.name}`]),
  ];
  return `${method} ${targetOf(path, query)} (${names.join(', ') || 'no credentials'})`;
};

/** The same as it travels. */
export const wireRequest = (cookieName: string, { method, path, query, who }: Ask): WireRequest => ({
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
    : `${path}?${query.map(([name, value]) => `${name}=${escaped(value)}`).join('&')}`;

/** Text of a server as a part of a URL. Half of a surrogate pair, which JSON can hold and a URL cannot, becomes U+FFFD. */
export const escaped = (text: string): string => encodeURIComponent(text.toWellFormed());
