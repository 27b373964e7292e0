import * as t from 'io-ts';
import { described } from './codecs/combinators.js';
import { Integer } from './codecs/text-and-numbers.js';
import { MethodNotAllowedBody, NotFoundBody } from './error-bodies.js';

const decision = 'The contract names no headers.';

/** The response headers that are part of the documentation. */
export const headerDocs = {
  'Cache-Control': described(
    t.string,
    'Only the client may cache the response, and has to revalidate it each time.',
    decision,
  ),
  ETag: described(
    t.string,
    'Identifies these bytes: sent back in `If-None-Match`, it makes the response 304 while they are the same.',
    decision,
  ),
  Vary: described(t.string, 'The request headers that the response depends on.', decision),
  'X-Triage-Warning': described(
    t.string,
    'Names the unknown query parameters that were ignored, and says why a page of another site has no session.',
    decision,
  ),
  'WWW-Authenticate': described(t.string, 'The kinds of credentials that the operation accepts.', decision),
  'Retry-After': described(Integer, 'Seconds after which to retry.', decision),
  Allow: described(t.string, 'The methods that the path supports.', decision),
} as const;

/** The name of a documented response header. */
export type HeaderName = keyof typeof headerDocs;

/** The documentation of a response, besides its body. */
export type ResponseDocs = Readonly<{
  /** When it is sent. */
  description: string;
  /** What this project decided about it where the contract is silent; `null`: nothing. */
  decision: string | null;
  /** The headers that every such response has. */
  headers: readonly HeaderName[];
  /** The headers that it may have. */
  mayHave: readonly HeaderName[];
}>;

const everywhere = ['Cache-Control', 'Vary'] as const;
const warned = ['X-Triage-Warning'] as const;
const silent = 'The contract is silent on this response.';

/** The responses of operations by status; `operations.ts` has their bodies (contract, sections 4 and 7). */
export const responseDocs: Readonly<Record<number, ResponseDocs>> = {
  200: {
    description: 'The requested data.',
    decision: null,
    headers: ['ETag', ...everywhere],
    mayHave: warned,
  },
  304: {
    description: 'Not modified: the client named the current `ETag` in `If-None-Match`.',
    decision: silent,
    headers: ['ETag', ...everywhere],
    mayHave: warned,
  },
  400: {
    description:
      'A parameter is invalid: the message names each one, the value it got and the values it takes. A parameter that is given twice is invalid, too, and so is an unknown one if the server is strict.',
    decision: silent,
    headers: everywhere,
    mayHave: warned,
  },
  401: {
    description: 'The credentials are missing, expired, revoked or unknown.',
    decision: null,
    headers: ['WWW-Authenticate', ...everywhere],
    mayHave: warned,
  },
  404: {
    description: 'You have no finding with this id: it does not exist, or belongs to another user.',
    decision: null,
    headers: everywhere,
    mayHave: warned,
  },
  500: {
    description: 'An error of the server. Its log has the details.',
    decision: silent,
    headers: everywhere,
    mayHave: warned,
  },
  503: {
    description: 'The storage cannot be reached.',
    decision: silent,
    headers: ['Retry-After', ...everywhere],
    mayHave: warned,
  },
};

/** The responses to requests that are not operations, by status, with the codec of the body. */
export const otherResponses: Readonly<Record<number, ResponseDocs & Readonly<{ body: t.Mixed }>>> = {
  404: {
    description: 'Any other path under `/api`. Case and a trailing slash count.',
    decision: silent,
    headers: everywhere,
    mayHave: [],
    body: NotFoundBody,
  },
  405: {
    description: 'A method other than GET, HEAD and OPTIONS on the path of an operation.',
    decision: silent,
    headers: ['Allow', ...everywhere],
    mayHave: [],
    body: MethodNotAllowedBody,
  },
};
