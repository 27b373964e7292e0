import type Router from '@koa/router';
import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { decode } from '../../contract/decode.js';
import { operations } from '../../contract/operations.js';
import { PageNumber } from '../../contract/parameters.js';
import { reposOnAPage, reposPage } from '../../pages/explorer/repos-page.js';
import { explorerPaths } from '../../pages/paths.js';
import { inputDecoder } from '../operations/decoded-inputs.js';
import type { ExploreContext } from './explore-context.js';
import { decodeRepos, readRepoItems } from './read-repos.js';

const operation = operations.listConnectedRepos;

/** The one parameter that is not the API's: which part of the list a page shows. */
const OwnQuery = t.type({ part: PageNumber });

/** `GET /explore/repos`. */
export const addRepos = (router: Router, { api, strict, exploring }: ExploreContext): void => {
  const decodeInput = inputDecoder<typeof operation>(operation, strict);
  router.get(
    explorerPaths.repos,
    exploring('repos', async (ctx, { credentials, context }) => {
      const others = new URLSearchParams(ctx.querystring);
      others.delete('part');
      const target = `${operation.path}${others.size === 0 ? '' : `?${others}`}`;
      const request = { operation, target };
      const own = decode(OwnQuery, { part: ctx.query.part });
      const { input, ignored } = decodeInput({}, others.toString());
      if (E.isLeft(input)) return E.left({ failure: input.left, request });
      if (E.isLeft(own)) {
        return E.left({ failure: { _tag: 'InvalidParameters', problems: own.left }, request: null });
      }
      const { part } = own.right;
      const items = await readRepoItems(api.listConnectedRepos, credentials);
      if (E.isLeft(items)) return E.left({ failure: items.left, request });
      const total = items.right.length;
      const body = items.right.slice((part - 1) * reposOnAPage, part * reposOnAPage);
      const repos = await decodeRepos(body);
      if (E.isLeft(repos)) return E.left({ failure: repos.left, request });
      const cut = body.length < total ? { part: `${body.length} of ${total} items.` } : {};
      return E.right(
        reposPage(context, {
          request: { ...request, status: 200, body, ...cut },
          repos: repos.right,
          total,
          part,
          ignored,
        }),
      );
    }),
  );
};
