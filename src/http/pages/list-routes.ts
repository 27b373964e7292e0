import type Router from '@koa/router';
import type * as t from 'io-ts';
import type { Context } from 'koa';
import * as E from '#fp-ts/Either';
import { type AnyOperation, operations } from '../../contract/operations.js';
import type { ViewContext } from '../../pages/explorer/explorer-page.js';
import { findingsPage } from '../../pages/explorer/findings-pages.js';
import type { ListView } from '../../pages/explorer/lists.js';
import { prsPage } from '../../pages/explorer/prs-page.js';
import type { Html } from '../../pages/html.js';
import { explorerPaths } from '../../pages/paths.js';
import { inputDecoder } from '../operations/decoded-inputs.js';
import type { ApiError, Handler } from '../operations/handler.js';
import type { ExploreContext } from './explore-context.js';
import type { Viewed, Visit } from './exploring.js';
import { readOperation } from './read-operation.js';

/** `GET /explore/findings` and `GET /explore/prs`: the parameters are those of the API. */
export const addLists = (router: Router, context: ExploreContext): void => {
  const { api, exploring } = context;
  const findings = listView(context, operations.listFindings, api.listFindings, findingsPage);
  const prs = listView(context, operations.listPrs, api.listPrs, prsPage);
  router.get(explorerPaths.findings, exploring('findings', findings));
  router.get(explorerPaths.prs, exploring('prs', prs));
};

const listView = <Op extends AnyOperation>(
  { strict, repoNamesOf }: ExploreContext,
  operation: Op,
  handler: Handler<Op, ApiError>,
  pageOf: (
    context: ViewContext,
    view: ListView<t.TypeOf<Op['queryParameters']>, t.TypeOf<Op['responses'][200]>>,
  ) => Html,
) => {
  const decodeInput = inputDecoder<Op>(operation, strict);
  return async (ctx: Context, { credentials, context }: Visit): Promise<Viewed> => {
    const target = `${operation.path}${ctx.querystring === '' ? '' : `?${ctx.querystring}`}`;
    const request = { operation, target };
    const { input, ignored } = decodeInput({}, ctx.querystring);
    if (E.isLeft(input)) return E.left({ failure: input.left, request });
    const { path, query } = input.right;
    const answered = await readOperation(operation, handler, { credentials, path, query });
    if (E.isLeft(answered)) return E.left({ failure: answered.left, request });
    const { body, value } = answered.right;
    // A list is shown even if the names of its repositories cannot be read.
    const repos = await repoNamesOf(credentials);
    return E.right(
      pageOf(context, {
        request: { ...request, status: 200, body },
        query,
        answer: value,
        ignored,
        repos: E.isLeft(repos) ? [] : repos.right,
      }),
    );
  };
};
