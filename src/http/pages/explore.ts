import type Router from '@koa/router';
import type { Log } from '../../common/log.js';
import { explorerPaths } from '../../pages/paths.js';
import { asset, revalidated } from '../asset.js';
import type { ApiDependencies } from '../operations/handler.js';
import { handlers } from '../operations/handlers.js';
import type { Changes } from './changes.js';
import { addChanges, type ChangesDependencies } from './changes-route.js';
import type { ExploreContext } from './explore-context.js';
import { exploring } from './exploring.js';
import { addFinding } from './finding-route.js';
import { addLists } from './list-routes.js';
import { addOverview } from './overview-route.js';
import { readRepoNames } from './read-repos.js';
import { addRepos } from './repos-route.js';
import type { WebContext } from './web-context.js';

export type ExploreDependencies = Pick<WebContext, 'readAsset' | 'responses' | 'signedInUser'> &
  ApiDependencies &
  Pick<ChangesDependencies, 'maySeeFiles'> &
  Readonly<{
    log: Log;
    strict: boolean;
    /** What changes while the server runs; null: it cannot tell. */
    changes: Changes | null;
  }>;

/** The pages of the explorer, which read the operations of the API on behalf of the user who is signed in. */
export const addExplore = (router: Router, dependencies: ExploreDependencies): void => {
  const { strict, readAsset } = dependencies;
  const api = handlers(dependencies);
  const context: ExploreContext = {
    api,
    repoNamesOf: readRepoNames(api.listConnectedRepos),
    strict,
    exploring: exploring(dependencies),
  };
  router.get(
    explorerPaths.stylesheet,
    asset('text/css; charset=utf-8', () => readAsset('explore.css')),
  );
  router.get(
    explorerPaths.script,
    asset('text/javascript; charset=utf-8', () => readAsset('explore.js'), revalidated),
  );
  const { changes } = dependencies;
  if (changes !== null) addChanges(router, { ...dependencies, changes });
  addOverview(router, context);
  addRepos(router, context);
  addLists(router, context);
  addFinding(router, context);
};
