import type * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { apiFailures, type Failure, headOf } from '../api/failures.js';
import { type Content, jsonType, type Rendered, render } from '../api/rendered.js';
import { type HeaderChanges, OnPurpose } from '../api/response.js';
import type { Json } from '../common/json.js';
import { problem } from '../contract/codecs/problem.js';
import { TooManyRequestsBody } from '../contract/error-bodies.js';
import type { AnyOperation } from '../contract/operations.js';
import type { Replacement } from './effect.js';
import { mergePatch } from './patches.js';

class SimulatedText extends OnPurpose {
  constructor(text: string | Uint8Array, type = 'text/plain; charset=utf-8') {
    super(type, text);
  }
}

/** How a response can be broken on its way. */
type Breakage = 'truncate' | 'malformed';

/** A body to be sent on purpose, broken or, with null, as it is. */
export const purposeBody = ({ type, bytes, decoded }: Content, breakage: Breakage | null): OnPurpose => {
  // No JSON goes on after its end.
  if (breakage === 'malformed') return new SimulatedText(`${decoded}}`, type);
  return new SimulatedText(
    breakage === 'truncate' ? bytes.subarray(0, Math.floor(bytes.length / 2)) : bytes,
    type,
  );
};

/** A text as it is, everything else as JSON. */
const textOf = (body: Json): SimulatedText =>
  typeof body === 'string' ? new SimulatedText(body) : new SimulatedText(JSON.stringify(body), jsonType);

/** A response on purpose: the one that the operation has for a failure, or a body of its own. */
type SimulatedResponse = Readonly<{
  status: number;
  headers: HeaderChanges;
  body: Rendered<t.Mixed> | OnPurpose;
}>;

/** How much longer than twice the real one a changed body may be, in characters. */
const maxAdded = 64_000;

/** The body of a success, changed on purpose by a merge patch. Null: it would be too long. */
export const alteredBody = ({ json }: Rendered<t.Mixed>, patch: Json): OnPurpose | null => {
  const text = JSON.stringify(mergePatch(JSON.parse(json), patch));
  return text.length > 2 * json.length + maxAdded ? null : new SimulatedText(text, jsonType);
};

/** Seconds that a simulated 429 asks to wait. */
const retryAfterSeconds = 1;

/** The failures that a status stands for: they give the message and the headers. */
const failures: Readonly<Record<number, Failure>> = {
  400: { _tag: 'InvalidParameters', problems: [problem([], 'this status was simulated')] },
  401: { _tag: 'Unauthorized' },
  404: { _tag: 'NotFound' },
  429: { _tag: 'RateLimited', retryAfterSeconds },
  500: { _tag: 'Unexpected', cause: 'simulated' },
  503: { _tag: 'StorageUnavailable', cause: 'simulated' },
};

/** The failure that a status stands for; undefined: the API has none. */
export const failureWith = (status: number): Failure | undefined => failures[status];

/** What other statuses say, of those that front ends meet. */
const texts: Readonly<Record<number, string>> = {
  301: 'Moved permanently',
  302: 'Found',
  303: 'See other',
  307: 'Temporary redirect',
  308: 'Permanent redirect',
  402: 'Payment required',
  403: 'Forbidden',
  405: 'Method not allowed',
  408: 'Request timeout',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content too large',
  415: 'Unsupported media type',
  422: 'Unprocessable content',
  451: 'Unavailable for legal reasons',
  501: 'Not implemented',
  502: 'Bad gateway',
  504: 'Gateway timeout',
};

/** What a failure with a status says. */
export const textOfStatus = (status: number): string => {
  const failure = failures[status];
  return failure === undefined ? (texts[status] ?? `Status ${status}`) : apiFailures.messageOf(failure);
};

/** The body that the operation lists for a status; null: it lists none. */
const listedBody = (operation: AnyOperation, status: number): Rendered<t.Mixed> | null => {
  const codec = operation.responses[status] ?? (status === 429 ? TooManyRequestsBody : undefined);
  const ofOperation: Failure = { _tag: 'FindingNotFound' };
  const error = status === 404 ? apiFailures.messageOf(ofOperation) : textOfStatus(status);
  const body = codec === undefined ? null : render(codec, { error });
  return body === null || E.isLeft(body) ? null : body.right;
};

/**
 * The response of an operation, or of a page (null), that fails with a status. Its body is the one that is
 * given, else the one that the operation lists, else `{ "error": … }`.
 */
export const simulatedResponse = (
  status: number,
  { body, headers, retryAfter }: Replacement,
  operation: AnyOperation | null,
): SimulatedResponse => {
  const failure = failures[status];
  const listed = operation && listedBody(operation, status);
  return {
    status,
    headers: {
      ...(failure && headOf(apiFailures, failure, operation?.accepts ?? ['session']).headers),
      ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
      ...headers,
    },
    body: body === undefined ? (listed ?? textOf({ error: textOfStatus(status) })) : textOf(body),
  };
};
