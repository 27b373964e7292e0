import type { Context } from 'koa';
import * as E from '#fp-ts/Either';
import { hashCredentials } from '../../accounts/secrets.js';
import type { Clock } from '../../common/clock.js';
import type { Log } from '../../common/log.js';
import { timestampAt } from '../../contract/codecs/timestamp.js';
import type { AnyOperation } from '../../contract/operations.js';
import {
  failurePage,
  type ShownRequest,
  type View,
  type ViewContext,
} from '../../pages/explorer/explorer-page.js';
import type { Html } from '../../pages/html.js';
import type { PresentedCredentials, StorageError } from '../../storage/port.js';
import { failureHead, failureResponse } from '../operations/failure-response.js';
import { messageOf, statuses } from '../operations/failures.js';
import { logFailure } from '../operations/log-failure.js';
import { readCredentials } from '../operations/read-credentials.js';
import { requestLog } from '../operations/request-log.js';
import { type OutgoingResponse, redirect, respond } from '../response.js';
import type { Changes } from './changes.js';
import type { ReadFailure } from './read-operation.js';
import type { WebContext } from './web-context.js';
import { prefersJson } from './web-responses.js';

/** Why a view cannot be shown, and the request that failed; null: one of several, or none in particular. */
export type ViewProblem = Readonly<{ failure: ReadFailure; request: RequestOf | null }>;

/** A request to an operation of the API, as a view shows it. */
export type RequestOf = Readonly<{ operation: AnyOperation; target: string }>;

/** A page, or why there is none. */
export type Viewed = E.Either<ViewProblem, Html>;

/** What a view is made for: on whose behalf it reads, and what the page shows besides. */
export type Visit = Readonly<{ credentials: PresentedCredentials; context: ViewContext }>;

type Dependencies = Pick<WebContext, 'responses' | 'signedInUser'> &
  Readonly<{ clock: Clock; log: Log; changes: Changes | null }>;

/**
 * A view of the explorer for the user who is signed in by cookie; others are sent to the login page, which
 * leads back. A failure has a page too, with the status that the API answers.
 */
export const exploring =
  ({ responses, signedInUser, clock, log, changes }: Dependencies) =>
  <C extends Context>(view: View, show: (ctx: C, visit: Visit) => Promise<Viewed>) =>
    respond(async (ctx: C): Promise<OutgoingResponse> => {
      const now = clock();
      // Read first: the page shows this state, or a later one.
      const version = changes?.version() ?? null;
      const origin = `${ctx.protocol}://${ctx.host}`;
      const failed = async (
        { failure, request }: Readonly<{ failure: ReadFailure | StorageError; request: RequestOf | null }>,
        context: ViewContext,
      ): Promise<OutgoingResponse> => {
        if (failure._tag === 'Unauthorized') return signIn(ctx);
        logFailure(requestLog(log, ctx), request?.operation.id ?? 'explore', failure);
        const [status, message] = [statuses[failure._tag], messageOf(failure)];
        const shown: ShownRequest | null = request && { ...request, status, body: { error: message } };
        return {
          ...failureHead(failure, ['session']),
          body: failurePage(context, { view, status, message, request: shown, retry: ctx.url }),
        };
      };
      const user = await signedInUser(ctx)();
      if (E.isLeft(user)) {
        const page = await responses.pageContext(ctx);
        return failed({ failure: user.left, request: null }, { page, now, origin, version });
      }
      const credentials = hashCredentials(readCredentials(ctx.req.headers, ['session']), timestampAt(now));
      if (user.right === null || E.isLeft(credentials)) return signIn(ctx);
      const context: ViewContext = { page: await responses.pageContext(ctx), now, origin, version };
      const viewed = await show(ctx, { credentials: credentials.right, context });
      return E.isLeft(viewed) ? failed(viewed.left, context) : { status: 200, body: viewed.right };
    });

/** The login page, which leads back; a 401 for clients that prefer JSON. */
const signIn = (ctx: Context): OutgoingResponse =>
  prefersJson(ctx)
    ? failureResponse({ _tag: 'Unauthorized' })
    : redirect(`/login?next=${encodeURIComponent(ctx.url)}`);
