import type { Context } from 'koa';
import { explorerPaths } from '../../pages/paths.js';

/**
 * Whether this is a request of a page that waits for a change, and nothing has changed. There may be one a
 * second of each page, so they are not logged.
 */
export const isQuiet = ({ path, res }: Pick<Context, 'path' | 'res'>): boolean =>
  path === explorerPaths.changes && res.statusCode === 304;
