import type Router from '@koa/router';
import * as E from '#fp-ts/Either';
import type { FindingDetail } from '../../contract/finding.js';
import { operations } from '../../contract/operations.js';
import { maxLimit } from '../../contract/parameters.js';
import { findingPage, type PrsOfFinding } from '../../pages/explorer/findings-pages.js';
import { repoNames } from '../../pages/explorer/lists.js';
import { explorerPaths } from '../../pages/paths.js';
import type { PresentedCredentials } from '../../storage/port.js';
import { inputDecoder } from '../operations/decoded-inputs.js';
import type { ExploreContext } from './explore-context.js';
import { readOperation } from './read-operation.js';
import { readPages } from './read-pages.js';

const { getFinding, listPrs } = operations;

/** So many pull requests of a repository are looked through for those of a finding. */
const maxPrs = 2000;

/** `GET /explore/findings/:id`. */
export const addFinding = (router: Router, { api, strict, repoNamesOf, exploring }: ExploreContext): void => {
  const decodeInput = inputDecoder<typeof getFinding>(getFinding, strict);

  /** The pull requests of a finding, among those of its repository; null: they cannot be read. */
  const prsOf = async (
    { id, repoId, prCount }: FindingDetail,
    credentials: PresentedCredentials,
    isGone: () => boolean,
  ): Promise<PrsOfFinding | null> => {
    if (prCount === 0) return { prs: [], read: 0, total: 0 };
    const read = await readPages(
      async (page) => {
        const query = { page, limit: maxLimit, repoId, status: undefined };
        const answered = await readOperation(listPrs, api.listPrs, { credentials, path: {}, query });
        return E.isLeft(answered) ? answered : E.right(answered.right.value);
      },
      maxPrs,
      (rows) => isGone() || rows.filter((pr) => pr.id === id).length >= prCount,
    );
    if (E.isLeft(read)) return null;
    const { rows, total } = read.right;
    return { prs: rows.filter((pr) => pr.id === id), read: rows.length, total };
  };

  router.get(
    `${explorerPaths.findings}/:id`,
    exploring('findings', async (ctx, { credentials, context }) => {
      const { id = '' } = ctx.params;
      const query = ctx.querystring === '' ? '' : `?${ctx.querystring}`;
      const request = {
        operation: getFinding,
        target: `${getFinding.path.replace('{id}', () => encodeURIComponent(id))}${query}`,
      };
      const { input, ignored } = decodeInput({ id }, ctx.querystring);
      if (E.isLeft(input)) return E.left({ failure: input.left, request });
      const answered = await readOperation(getFinding, api.getFinding, { credentials, ...input.right });
      if (E.isLeft(answered)) return E.left({ failure: answered.left, request });
      const { body, value: finding } = answered.right;
      const repos = await repoNamesOf(credentials);
      return E.right(
        findingPage(context, {
          request: { ...request, status: 200, body },
          finding,
          ignored,
          repoName: repoNames(E.isLeft(repos) ? [] : repos.right),
          related: await prsOf(finding, credentials, () => ctx.res.destroyed),
        }),
      );
    }),
  );
};
