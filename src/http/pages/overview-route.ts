import type Router from '@koa/router';
import * as E from '#fp-ts/Either';
import { limitConcurrency } from '../../common/limit-concurrency.js';
import { operations } from '../../contract/operations.js';
import { maxLimit } from '../../contract/parameters.js';
import type { OverviewData } from '../../pages/explorer/overview.js';
import { overviewPage } from '../../pages/explorer/overview-page.js';
import { explorerPaths } from '../../pages/paths.js';
import type { PresentedCredentials } from '../../storage/port.js';
import type { ApiError, Handler } from '../operations/handler.js';
import type { ExploreContext } from './explore-context.js';
import { type ReadFailure, readOperation } from './read-operation.js';
import { readPages } from './read-pages.js';
import { decodeRepos, readRepoItems } from './read-repos.js';

/** So many rows of each list are counted; docs/explore.md names the number. */
const maxRows = 10_000;

/** So many overviews are made at once; others wait. Each may read 200 pages. */
const overviewsAtOnce = 2;

const { listFindings, listPrs } = operations;

/** `GET /explore`. */
export const addOverview = (router: Router, { api, exploring }: ExploreContext): void => {
  const inTurn = limitConcurrency(overviewsAtOnce);

  const read = async (
    credentials: PresentedCredentials,
    isGone: () => boolean,
  ): Promise<E.Either<ReadFailure, OverviewData>> => {
    const items = await readRepoItems(api.listConnectedRepos, credentials);
    if (E.isLeft(items)) return items;
    const repos = await decodeRepos(items.right);
    if (E.isLeft(repos)) return repos;
    const findings = await readPages(
      async (page) => {
        const query = { page, limit: maxLimit, repoId: undefined, severity: undefined, status: undefined };
        const answered = await readOperation(listFindings, api.listFindings, {
          credentials,
          path: {},
          query,
        });
        return E.isLeft(answered) ? answered : E.right(answered.right.value);
      },
      maxRows,
      isGone,
    );
    if (E.isLeft(findings)) return findings;
    const prs = await readPages((page) => prPage(api.listPrs, credentials, page), maxRows, isGone);
    if (E.isLeft(prs)) return prs;
    const open = await prPage(api.listPrs, credentials, 1, 'open');
    if (E.isLeft(open)) return open;
    return E.right({
      repos: repos.right,
      findings: findings.right,
      prs: prs.right,
      openPrs: open.right.totalItems,
    });
  };

  router.get(
    explorerPaths.overview,
    exploring('overview', async (ctx, { credentials, context }) => {
      const isGone = (): boolean => ctx.res.destroyed;
      const data = await inTurn(() => read(credentials, isGone));
      return E.isLeft(data)
        ? E.left({ failure: data.left, request: null })
        : E.right(overviewPage(context, data.right));
    }),
  );
};

const prPage = async (
  handler: Handler<typeof listPrs, ApiError>,
  credentials: PresentedCredentials,
  page: number,
  status?: 'open',
) => {
  const query = { page, limit: status === undefined ? maxLimit : 1, repoId: undefined, status };
  const answered = await readOperation(listPrs, handler, { credentials, path: {}, query });
  return E.isLeft(answered) ? answered : E.right(answered.right.value);
};
