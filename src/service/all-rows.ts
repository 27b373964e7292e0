import { controlRows } from '../controls/controls.js';
import type { Row } from '../protocol/routes.js';
import type { ExploreDependencies } from '../web/explorer-routes.js';
import { pageRows } from '../web/pages.js';
import type { WebContext } from '../web/web.js';
import { type HealthDependencies, healthRows } from './health.js';
import type { ServiceDependencies } from './service.js';

type Dependencies = Pick<
  ServiceDependencies,
  'storage' | 'clock' | 'log' | 'strict' | 'simulation' | 'live' | 'explorer' | 'basePath'
> &
  HealthDependencies &
  Pick<ExploreDependencies, 'changes'>;

/** All rows of the service besides those of operations: health, the pages, and the mock controls. */
export const allRows =
  (dependencies: Dependencies) =>
  (web: WebContext): readonly Row[] => {
    const { simulation, live, storage, basePath } = dependencies;
    const controls = simulation && { simulation, live, storage, basePath };
    return [
      ...healthRows(dependencies),
      ...pageRows(web, { ...dependencies, controls }),
      ...(controls === null ? [] : controlRows(controls)),
    ];
  };
