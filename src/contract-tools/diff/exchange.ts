import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import type { HttpResponse, RequestError } from '../../client/fetch-send.js';
import { type ApiRequest, toHttpRequest } from '../../client/outgoing-request.js';
import type { ThrottledSender } from '../../client/throttle.js';
import { parseJson } from '../../common/json.js';

/** A request and its response; `body` is undefined if the response is not JSON. */
export type Exchange = Readonly<{ request: ApiRequest; response: HttpResponse; body: unknown }>;

/** Sends a request. */
export const exchange = (
  sender: ThrottledSender,
  cookieName: string,
  request: ApiRequest,
): TE.TaskEither<RequestError, Exchange> =>
  pipe(
    sender.send(toHttpRequest(cookieName, request)),
    TE.map((response) => ({ request, response, body: parseJson(response.text) })),
  );
