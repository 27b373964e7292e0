import { controlRows } from '../controls/controls.js';
import type { Row } from '../protocol/call.js';
import { type HealthDependencies, healthRows } from '../service/health.js';
import type { ExploreDependencies } from '../web/explorer-routes.js';
import { pageRows } from '../web/pages.js';
import type { PageRow } from '../web/rows.js';
import type { WebContext } from '../web/web.js';
import type { ServiceDependencies } from './compose.js';

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
