import type { Row } from '../api/call.js';
import type { ExploreDependencies } from '../pages/explorer-routes.js';
import { pageRows } from '../pages/pages.js';
import type { PageRow } from '../pages/rows.js';
import type { WebContext } from '../pages/web.js';
import { controlRows } from '../simulation/controls/controls.js';
import type { ServiceDependencies } from './compose.js';
import { type HealthDependencies, healthRows } from './health.js';

export type RowsDependencies = Pick<
  ServiceDependencies,
  'storage' | 'clock' | 'log' | 'strict' | 'simulation' | 'live' | 'explorer' | 'basePath'
> &
  HealthDependencies &
  Pick<ExploreDependencies, 'changes'>;

/** What is served besides the operations: rows of their own, and those of the pages. */
export type MoreRows = Readonly<{
  rows: readonly Row[];
  pagesOf: (web: WebContext) => readonly PageRow[];
}>;

/** All rows besides those of operations: health, the mock controls, and the pages. */
export const allRows = (dependencies: RowsDependencies): MoreRows => {
  const { simulation, live, basePath } = dependencies;
  const controls = simulation && { simulation, live, basePath };
  return {
    rows: [...healthRows(dependencies), ...(controls === null ? [] : controlRows(controls))],
    pagesOf: (web) => pageRows(web, { ...dependencies, controls }),
  };
};
