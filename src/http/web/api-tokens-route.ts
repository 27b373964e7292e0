import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import * as E from 'fp-ts/lib/Either.js';
import { listApiTokens, mintApiToken, revokeApiToken } from '../../accounts/api-tokens.js';
import { ListedTokens, MintedToken } from '../../accounts/response-codecs.js';
import { renderErrorLiteral } from '../../api/rendered.js';
import { timestampAt } from '../../codecs/timestamp.js';
import { UnauthorizedBody } from '../../contract/error-bodies.js';
import { type ApiTokensView, apiTokensPage } from '../../pages/api-tokens-page.js';
import { errorPage } from '../../pages/error-page.js';
import type { Html } from '../../pages/html.js';
import type { Caller } from '../../records/caller.js';
import { challenge } from '../read-credentials.js';
import { send } from '../send.js';
import { speaksJson } from './speaks-json.js';
import type { WebContext } from './web-context.js';

/** `GET` and `POST /settings/api-tokens`, `POST /settings/api-tokens/:id/revoke`, for whoever is signed in by cookie. */
export const addApiTokens = (
  router: Router,
  { accounts, answers, frameFor, who, guard, body }: WebContext,
): void => {
  const list = listApiTokens(accounts);
  const mint = mintApiToken(accounts);
  const revoke = revokeApiToken(accounts);

  /** The page anew; without a list where the storage cannot give one. */
  const pageFor = async (
    ctx: RouterContext,
    caller: Caller,
    shown: Partial<Pick<ApiTokensView, 'minted' | 'message' | 'name'>>,
  ): Promise<Html> => {
    const tokens = await list(caller)();
    const now = timestampAt(accounts.clock());
    return apiTokensPage(await frameFor(ctx), {
      tokens: E.isRight(tokens) ? tokens.right : [],
      now,
      minted: null,
      message: null,
      name: '',
      ...shown,
    });
  };

  const signedIn =
    (answer: (ctx: RouterContext, caller: Caller) => Promise<void>) =>
    async (ctx: RouterContext): Promise<void> => {
      const user = await who(ctx)();
      if (E.isLeft(user)) {
        return answers.failure(ctx, user.left, async (message) =>
          errorPage(await frameFor(ctx), 'That did not work', message),
        );
      }
      if (user.right !== null) return answer(ctx, { userId: user.right.id });
      if (!speaksJson(ctx)) return answers.redirect(ctx, '/login');
      ctx.set('WWW-Authenticate', challenge(['session']));
      send(ctx, 401, renderErrorLiteral(UnauthorizedBody));
    };

  router.get(
    '/settings/api-tokens',
    signedIn(async (ctx, caller) => {
      const tokens = await list(caller)();
      if (E.isLeft(tokens)) {
        return answers.failure(ctx, tokens.left, (message) => pageFor(ctx, caller, { message }));
      }
      if (speaksJson(ctx)) answers.json(ctx, 200, ListedTokens, tokens.right);
      else answers.page(ctx, 200, await pageFor(ctx, caller, {}));
    }),
  );

  router.post(
    '/settings/api-tokens',
    guard,
    body,
    signedIn(async (ctx, caller) => {
      const minted = await mint(caller, ctx.request.body)();
      if (E.isLeft(minted)) {
        const { name } = Object(ctx.request.body);
        return answers.failure(ctx, minted.left, (message) =>
          pageFor(ctx, caller, { message, name: typeof name === 'string' ? name : '' }),
        );
      }
      if (speaksJson(ctx)) answers.json(ctx, 201, MintedToken, minted.right);
      else answers.page(ctx, 201, await pageFor(ctx, caller, { minted: minted.right }));
    }),
  );

  router.post(
    '/settings/api-tokens/:id/revoke',
    guard,
    signedIn(async (ctx, caller) => {
      const revoked = await revoke(caller, ctx.params.id ?? '')();
      if (E.isLeft(revoked)) {
        return answers.failure(ctx, revoked.left, (message) => pageFor(ctx, caller, { message }));
      }
      if (speaksJson(ctx)) ctx.status = 204;
      else answers.redirect(ctx, '/settings/api-tokens');
    }),
  );
};
