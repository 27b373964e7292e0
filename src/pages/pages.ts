import { jsonType } from '../api/rendered.js';
import { assetAnswer, forAWhile } from '../api/response.js';
import { operations } from '../contract/operations.js';
import { logInPage } from './account-pages.js';
import { accountRows, apiTokenRows, signUpRows } from './account-routes.js';
import { docsPage, startPage } from './api-pages.js';
import { controlsPageRows } from './controls-routes.js';
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
  const { simulation = null, live = null, basePath, explorer, further = () => [] } = dependencies;
  const controls = simulation && { simulation, live, basePath };
  return [
    get('/', (request) =>
      responses.page(request, (context) =>
        startPage(context, Object.values(operations), offers.offeredOn(request, context, responses.home)),
      ),
    ),
    asset(stylesheetPath, 'style.css'),
    // The API reference, where a signed-in user can try each operation, and the document behind it.
    get(docsPaths.document, assetAnswer(jsonType, forAWhile, openApi(controls !== null, dependencies))),
    get(docsPaths.page, (request) =>
      responses.page(request, (context) => docsPage(context, controls !== null)),
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
    ...(explorer && controls !== null ? controlsPageRows(web, controls) : []),
    ...further(web),
  ];
};

/** The OpenAPI document. What makes it is loaded when it is asked for. */
const openApi =
  (hasMockControls: boolean, { basePath }: Pick<WebDependencies, 'basePath'>) =>
  async (): Promise<string> => {
    const { openApiDocument } = await import('../openapi/document.js');
    const { readExamples } = await import('../openapi/examples.js');
    return JSON.stringify(openApiDocument(readExamples(), { hasMockControls, basePath }));
  };
