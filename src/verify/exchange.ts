import * as E from '#fp-ts/Either';
import type { HttpResponse, RequestError } from '../client/fetch-send.js';
import { type OutgoingRequest, toHttpRequest } from '../client/outgoing-request.js';
import { parseJson } from '../common/json.js';
import { type AnyOperation, operations } from '../contract/operations.js';
import type { ThrottledSender } from './throttle.js';

/** A request and its response; `body` is the parsed JSON, or undefined if the response is not JSON. */
export type Exchange = Readonly<{ request: OutgoingRequest; response: HttpResponse; body: unknown }>;

/** Sends a request. */
export const exchange = async (
  sender: ThrottledSender,
  cookieName: string,
  request: OutgoingRequest,
): Promise<E.Either<RequestError, Exchange>> => {
  const sent = await sender.send(toHttpRequest(cookieName, request));
  if (E.isLeft(sent)) return sent;
  return E.right({ request, response: sent.right, body: parseJson(sent.right.text) });
};

export const allOperations: readonly AnyOperation[] = Object.values(operations);

const patterns = allOperations.map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

/** The operation that a path belongs to. */
export const operationOf = (path: string): AnyOperation | undefined =>
  patterns.find(({ pattern }) => pattern.test(path))?.operation;

/** Whether the contract gives the body: of a 200, of a 401, and of a finding that is not found. */
export const isGiven = ({ request, response: { status } }: Exchange): boolean =>
  status === 200 || status === 401 || (status === 404 && operationOf(request.path)?.id === 'getFinding');

/** The content types that mean JSON: application/json, text/json, and every type that ends in +json. */
export const jsonType = /^(?:(?:application|text)\/json|[\w.!#$&^-]+\/[\w.!#$&^+-]+\+json) *(?:;|$)/i;
