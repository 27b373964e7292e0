import { isDeepStrictEqual } from 'node:util';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { ListedTokens, MintedToken, SignedIn } from '../../../src/accounts/response-codecs.js';
import { ErrorBody } from '../../../src/contract/error-bodies.js';
import { type AnyOperation, operations } from '../../../src/contract/operations.js';
import { headerOf, type RawResponse } from '../core/_response-reader.js';

/** The statuses that any request may get, however strange it is; 5xx are judged apart. */
const documentedStatuses = new Set([
  ...[200, 201, 204, 303, 304],
  ...[400, 401, 403, 404, 405, 408, 409, 413, 415, 417, 421, 429, 431, 501],
]);

const routes: readonly Readonly<{ operation: AnyOperation; path: RegExp }>[] = Object.values(operations).map(
  (operation) => ({
    operation,
    path: new RegExp(`^${operation.path.replace(/\{\w+\}/, '[^/]+')}$`),
  }),
);

const operationOf = (path: string | null): AnyOperation | undefined =>
  path === null ? undefined : routes.find((route) => route.path.test(path))?.operation;

/** What answers in JSON besides the operations, with success. */
const Healthy = t.union([
  t.strict({ status: t.literal('ok') }),
  t.strict({ status: t.literal('ok'), notice: t.string }),
]);
const Unready = t.strict({ error: t.string, reason: t.string });
const Document = t.type({ openapi: t.string, paths: t.UnknownRecord });
const successes: readonly t.Mixed[] = [
  SignedIn,
  MintedToken,
  ListedTokens,
  Healthy,
  Document,
  ...Object.values(operations).map(({ responses }) => responses[200]),
];

/** Whether a codec takes a value and would write exactly the same: nothing is missing and nothing added. */
const isExactly = (codec: t.Mixed, value: unknown): boolean => {
  const decoded = codec.decode(value);
  return E.isRight(decoded) && isDeepStrictEqual(codec.encode(decoded.right), value);
};

const jsonProblem = (path: string | null, status: number, text: string): string | null => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'a body that is no JSON';
  }
  const codec = operationOf(path)?.responses[status];
  const codecs = codec !== undefined ? [codec] : status < 400 ? successes : [ErrorBody, Unready];
  // Some errors come before an operation is chosen: those have the general body.
  const isKnown =
    codecs.some((each) => isExactly(each, value)) || (status >= 400 && isExactly(ErrorBody, value));
  return isKnown ? null : 'an undocumented body';
};

/** What has already been found sound; the same bodies come again and again. */
const maxKnown = 20_000;

/**
 * What is wrong with a response, judged by what the documents say; null if nothing is. `path` is null where
 * the request does not say clearly which one it means.
 */
export const documentedBodies = () => {
  const known = new Set<string>();
  return (method: string, path: string | null, response: RawResponse): string | null => {
    const { status, body } = response;
    if (status >= 500) {
      // A server that limits how much it hashes at once may put off logins and sign-ups, and must say so.
      const isPutOff = status === 503 && method === 'POST' && headerOf(response, 'retry-after') !== undefined;
      if (!isPutOff) return `status ${status}`;
    } else if (!documentedStatuses.has(status)) {
      return `undocumented status ${status}`;
    }
    if (method === 'HEAD' || status === 204 || status === 304) return null;
    const type = headerOf(response, 'content-type') ?? '';
    if (status === 303 && headerOf(response, 'location') === undefined) return '303 without Location';
    if (body.length === 0)
      return status === 200 && method === 'OPTIONS' ? null : `status ${status} without a body`;
    if (type.startsWith('application/json')) {
      if (headerOf(response, 'content-encoding') !== undefined) return null;
      const text = body.toString('utf8');
      const key = `${path} ${status} ${text}`;
      if (known.has(key)) return null;
      const problem = jsonProblem(path, status, text);
      if (known.size > maxKnown) known.clear();
      if (problem === null) known.add(key);
      return problem;
    }
    if (type.startsWith('text/html')) {
      const text = body.toString('utf8').trim();
      const isPage = /^<!doctype html>/i.test(text) && text.endsWith('</html>');
      return isPage || (status === 303 && /^redirecting/i.test(text)) ? null : 'a broken page';
    }
    if (status === 303 && /^redirecting/i.test(body.toString('utf8'))) return null;
    return status === 200 && /^text\/(?:css|javascript)/.test(type) ? null : `undocumented type ${type}`;
  };
};
