import * as t from 'io-ts';
import { described } from './codecs/combinators.js';
import { Integer } from './codecs/text-and-numbers.js';
import { MethodNotAllowedBody, NotFoundBody } from './error-bodies.js';

const header = <C extends t.Mixed>(codec: C, description: string) =>
  described(codec, description, 'The contract names no headers.');

export const headerDocs = {
  'Cache-Control': header(
    t.string,
    'Only the client may cache the response, and has to revalidate it each time.',
  ),
  ETag: header(
    t.string,
    'Identifies these bytes: sent back in `If-None-Match`, it makes the response 304 while they are the same.',
  ),
  Vary: header(t.string, 'The request headers that the response depends on.'),
  'X-Triage-Warning': header(t.string, 'Names the unknown query parameters that were ignored.'),
  'WWW-Authenticate': header(t.string, 'The kinds of credentials that the operation accepts.'),
  'Retry-After': header(Integer, 'Seconds after which to retry.'),
  Allow: header(t.string, 'The methods that the path supports.'),
} as const;

export type HeaderName = keyof typeof headerDocs;

export type ResponseDocs = Readonly<{
  description: string;
  /** What this project decided about it where the contract is silent; `null`: nothing. */
  decision: string | null;
  headers: readonly HeaderName[];
}>;

const silent = 'The contract is silent on this response.';

const docs = (
  description: string,
  headers: readonly HeaderName[],
  decision: string | null = silent,
): ResponseDocs => ({
  description,
  decision,
  headers: [...headers, 'Cache-Control', 'Vary'],
});

/** The responses of operations by status; `operations.ts` has their bodies (contract, sections 4 and 7). */
export const responseDocs: Readonly<Record<number, ResponseDocs>> = {
  200: docs('The requested data.', ['ETag'], null),
  304: docs('Not modified: the client named the current `ETag` in `If-None-Match`.', ['ETag']),
  400: docs(
    'A parameter is invalid: the message names each one, the value it got and the values it takes. A parameter that is given twice is invalid, too, and so is an unknown one if the server is strict.',
    [],
  ),
  401: docs('The credentials are missing, expired, revoked or unknown.', ['WWW-Authenticate'], null),
  404: docs('You have no finding with this id: it does not exist, or belongs to another user.', [], null),
  500: docs('An error of the server. Its log has the details.', []),
  503: docs('The storage cannot be reached.', ['Retry-After']),
};

/** The responses to requests that are not operations, by status, with the codec of the body. */
export const otherResponses: Readonly<Record<number, ResponseDocs & Readonly<{ body: t.Mixed }>>> = {
  404: { ...docs('Any other path under `/api`. Case and a trailing slash count.', []), body: NotFoundBody },
  405: {
    ...docs('A method other than GET, HEAD and OPTIONS on the path of an operation.', ['Allow']),
    body: MethodNotAllowedBody,
  },
};

/** What this project decided about every operation, or about none in particular (docs/decisions.md). */
export const generalDecisions = {
  textOrder: 'Text is ordered by code point, in every storage.',
  ids: 'An id has from 1 to 200 characters.',
  failureOrder:
    'Of several failures, the first of these is reported: an unknown path (404), the method (405), the credentials (401), the parameters (400), a finding that does not exist (404).',
  methods: 'HEAD is answered like GET without the body, OPTIONS with `Allow`, any other method with 405.',
  targets:
    'A request target with `#`, a backslash or an unencoded character that is not ASCII, or that begins with `//`, is answered 400.',
  host: 'A `Host` header that is missing, malformed or given twice is answered 400.',
  allowedHosts: 'A request for a host that the server is not to answer for is answered 421.',
  pipelining:
    'Requests that a client sends without waiting for responses are answered in order, one at a time.',
};
