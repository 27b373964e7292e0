import type * as t from 'io-ts';
import type { AnyOperation } from '../contract/operations.js';
import type { HttpRequest, SafeMethod } from './fetch-send.js';

/** A secret with a name by which reports can mention it. */
export type NamedSecret = Readonly<{ name: string; value: string }>;

/** A secret in a header of any name, such as `X-Api-Key`; `prefix` comes before it. */
export type SecretHeader<Secret = NamedSecret> = Readonly<{ header: string; prefix: string; secret: Secret }>;

/** The session cookie and the bearer token of a request. `other` is a header where the API reads none. */
export type RequestAuth = Readonly<{
  session: NamedSecret | null;
  bearer: NamedSecret | null;
  other?: SecretHeader;
}>;

/** The parameters of a query, in their order. */
export type Query = readonly (readonly [name: string, value: string])[];

/** A request to the API, before its credentials become headers. */
export type OutgoingRequest = Readonly<{ method: SafeMethod; path: string; query: Query; auth: RequestAuth }>;

export const anonymous: RequestAuth = { session: null, bearer: null };
export const withSession = (session: NamedSecret): RequestAuth => ({ session, bearer: null });

/** A request as text, with the names of its credentials and never their values. */
export const describeRequest = ({ method, path, query, auth }: OutgoingRequest): string =>
  `${method} ${targetOf(path, query)} (${describeCredentials(auth)})`;

/** The names of the credentials of a request, as "cookie: session". */
export const describeCredentials = ({ session, bearer, other }: RequestAuth): string => {
  const names = [
    ...(session === null ? [] : [`cookie: ${session.name}`]),
    ...(bearer === null ? [] : [`bearer: ${bearer.name}`]),
    ...(other === undefined ? [] : [`${other.header}: ${other.prefix}${other.secret.name}`]),
  ];
  return names.join(', ') || 'no credentials';
};

/** A request as it is sent. */
export const toHttpRequest = (
  cookieName: string,
  { method, path, query, auth }: OutgoingRequest,
): HttpRequest => ({
  method,
  target: targetOf(path, query),
  headers: {
    Accept: 'application/json',
    ...(auth.session === null ? {} : { Cookie: `${cookieName}=${auth.session.value}` }),
    ...(auth.bearer === null ? {} : { Authorization: `Bearer ${auth.bearer.value}` }),
    ...(auth.other === undefined
      ? {}
      : { [auth.other.header]: `${auth.other.prefix}${auth.other.secret.value}` }),
  },
});

const targetOf = (path: string, query: Query): string =>
  query.length === 0
    ? path
    : `${path}?${query.map(([name, value]) => `${name}=${encodeUrlComponent(value)}`).join('&')}`;

/** Text as a part of a URL. An unpaired surrogate, which JSON can hold and a URL cannot, becomes U+FFFD. */
export const encodeUrlComponent = (text: string): string => encodeURIComponent(text.toWellFormed());

/** What every call takes, whatever its operation. */
export type CallOptions = Readonly<{
  /** Gives the call up when it is aborted. */
  signal?: AbortSignal | undefined;
}>;

/** The parameters of an operation as a caller gives them; a query parameter may be left out. */
export type OperationInput<Op extends AnyOperation> = PathInput<t.TypeOf<Op['pathParameters']>> &
  Readonly<{ query?: QueryInput<t.TypeOf<Op['queryParameters']>> }> &
  CallOptions;

/** The parameters of a query, all of which may be left out. */
export type QueryInput<Query> = { readonly [Name in keyof Query]?: Query[Name] | undefined };

type PathInput<Path> = keyof Path extends never ? unknown : Readonly<{ path: Path }>;

/** The request for an operation: its path and query, encoded by the codecs of its parameters. */
export const operationRequest = <Op extends AnyOperation>(
  { path, pathParameters, queryParameters }: Op,
  input: OperationInput<Op>,
  auth: RequestAuth,
): OutgoingRequest => {
  const values = new Map<string, unknown>(Object.entries(input.query ?? {}));
  const inPath = new Map(Object.entries('path' in input ? pathParameters.encode(input.path) : {}));
  const query = Object.entries(queryParameters.type.props).flatMap(([name, codec]) => {
    const value = values.get(name);
    return value === undefined ? [] : [[name, String(codec.encode(value))] as const];
  });
  const segment = (_: string, name: string) => encodeUrlComponent(String(inPath.get(name)));
  return { method: 'GET', path: path.replaceAll(/\{(\w+)\}/g, segment), query, auth };
};

/** Whether an id can stand in a path: `fetch` removes "." and ".." from paths, escaped or not. */
export const canStandInPath = (id: string): boolean => id !== '' && id !== '.' && id !== '..';
