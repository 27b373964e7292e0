import { queryValue } from '../api/request.js';
import { operations } from '../contract/operations.js';
import { logInPage } from './account-pages.js';
import { accountRows, apiTokenRows, signUpRows } from './account-routes.js';
import { docsPage, startPage } from './api-pages.js';
import { type ExploreDependencies, explorerRows } from './explorer-routes.js';
import { logInRows } from './log-in.js';
import { docsPaths, stylesheetPath } from './paths.js';
import type { PageRow } from './rows.js';
import {
  type Pages,
  type WebContext,
  type WebDependencies,
  type WebSettings,
  webDefaults,
  webPages,
} from './web.js';

/** What the pages depend on. */
export type PageSettings = WebSettings &
  Pick<ExploreDependencies, 'strict'> &
  Partial<Pick<ExploreDependencies, 'changes'>> &
  Readonly<{
    /** The page of the mock controls; left out: there are none. */
    controlsPage?: (web: WebContext) => readonly PageRow[];
    /** Further rows, of one door alone. */
    further?: (web: WebContext) => readonly PageRow[];
  }>;

/** All pages. */
export const allPages = (settings: PageSettings): Pages =>
  webPages(settings, (web) => pageRows(web, { ...webDefaults, changes: null, ...settings }));

const pageRows = (
  web: WebContext,
  dependencies: WebDependencies & ExploreDependencies & PageSettings,
): readonly PageRow[] => {
  const { get, asset, offers, responses } = web;
  const { explorer, controlsPage, further } = dependencies;
  return [
    get('/', (request) =>
      responses.page(request, (context) =>
        startPage(context, Object.values(operations), offers.offeredOn(request, context, responses.home)),
      ),
    ),
    asset(stylesheetPath, 'style.css'),
    // The API reference, where a signed-in user can try each operation.
    get(docsPaths.page, (request) =>
      responses.page(request, (context) =>
        docsPage(context, controlsPage !== undefined, queryValue(request, 'controls') !== null),
      ),
    ),
    asset(docsPaths.script, 'docs.js'),
    asset(docsPaths.stylesheet, 'docs.css'),
    asset(docsPaths.swaggerUiScript, 'swagger-ui-bundle.js'),
    asset(docsPaths.swaggerUiStylesheet, 'swagger-ui.css'),
    ...logInRows(web, logInPage),
    ...signUpRows(web),
    ...apiTokenRows(web),
    ...accountRows(web),
    ...(explorer ? explorerRows(web, dependencies) : []),
    ...((explorer && controlsPage?.(web)) || []),
    ...(further?.(web) ?? []),
  ];
};
