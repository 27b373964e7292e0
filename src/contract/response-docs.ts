import type * as t from 'io-ts';
import { MethodNotAllowedBody, NotFoundBody } from './error-bodies.js';
import type { HeaderName } from './header-docs.js';

/** What there is to say of an answer besides its body. */
export type ResponseDocs = Readonly<{
  /** When it is given. */
  description: string;
  /** What of it this project decided, since the contract is silent; `null`: nothing. */
  decision: string | null;
  /** The headers that every such answer has. */
  headers: readonly HeaderName[];
  /** Those that it may have. */
  mayHave: readonly HeaderName[];
}>;

const everywhere = ['Cache-Control', 'Vary'] as const;
const warned = ['X-Triage-Warning'] as const;
const silent = 'The contract is silent on this answer.';

/** The answers of operations, by status; the bodies stand in `operations.ts` (contract, sections 4 and 7). */
export const responseDocs: Readonly<Record<number, ResponseDocs>> = {
  200: {
    description: 'What was asked for.',
    decision: null,
    headers: ['ETag', ...everywhere],
    mayHave: warned,
  },
  304: {
    description: 'The client has these bytes already: it named their `ETag` in `If-None-Match`.',
    decision: silent,
    headers: ['ETag', ...everywhere],
    mayHave: warned,
  },
  400: {
    description:
      'A parameter does not fit: the message names each one, what it got and what it takes. Also for one given twice and, where the server is told to be strict, for one that the operation does not take.',
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
    description: 'No finding of yours has this id: it does not exist, or belongs to somebody else.',
    decision: null,
    headers: everywhere,
    mayHave: warned,
  },
  500: {
    description: 'A fault of the server. What went wrong stands in its log alone.',
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

/** The answers to requests that are no operation, by status, with the codec of the body. */
export const otherResponses: Readonly<Record<number, ResponseDocs & Readonly<{ body: t.Mixed }>>> = {
  404: {
    description: 'Any other path under `/api`, also for another letter case or a slash at the end.',
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
