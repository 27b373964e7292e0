import type { Context } from 'koa';
import { errorPage } from '../../pages/layout.js';
import { failureResponse } from '../operations/failure-response.js';
import type { Failure } from '../operations/failures.js';
import type { JsonResponse } from '../operations/json-response.js';
import type { OutgoingResponse } from '../response.js';
import { errorView } from './error-view.js';
import { wantsErrorPage } from './wants-error-page.js';
import type { Site, WebResponses } from './web-responses.js';

/** The answers to requests that no route serves: a page for browsers, JSON for all others and in the API. */
export type ErrorResponses = Readonly<{
  /** `methods`: those that a path accepts, for a request with another one. */
  response: (ctx: Context, failure: Failure, methods?: readonly string[]) => Promise<OutgoingResponse>;
  /**
   * Nothing is read for the page, so it does not say who is signed in: for when the server has failed, or
   * must not trust the request. `json`: the answer for all others.
   */
  withoutUser: (ctx: Context, failure: Failure, json: JsonResponse) => OutgoingResponse;
}>;

/** The error responses of a site. */
export const errorResponses = (
  { pageContext }: Pick<WebResponses, 'pageContext'>,
  site: Site,
): ErrorResponses => ({
  response: async (ctx, failure, methods) => {
    const json = failureResponse(failure);
    if (!wantsErrorPage(ctx)) return json;
    return { ...json, body: errorPage(await pageContext(ctx), errorView(ctx, failure, methods)) };
  },
  withoutUser: (ctx, failure, json) =>
    wantsErrorPage(ctx)
      ? { ...json, body: errorPage({ user: null, ...site }, errorView(ctx, failure)) }
      : json,
});
