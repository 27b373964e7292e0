import { jsonType } from '../api/rendered.js';
import { assetAnswer, forAWhile } from '../api/response.js';
import { operations } from '../contract/operations.js';
import type { ControlsDependencies } from '../simulation/controls/controls.js';
import { logInPage } from './account-pages.js';
import { accountRows, apiTokenRows, signUpRows } from './account-routes.js';
import { docsPage, startPage } from './api-pages.js';
import { controlsPageRows } from './controls-routes.js';
import { type ExploreDependencies, explorerRows } from './explorer-routes.js';
import { logInRows } from './log-in.js';
import { docsPaths, stylesheetPath } from './paths.js';
import type { PageRow } from './rows.js';
import type { WebContext, WebDependencies } from './web.js';

type PagesDependencies = ExploreDependencies &
  Pick<WebDependencies, 'basePath' | 'explorer'> &
  Readonly<{
    /** What the mock controls need; null: there are none. */
    controls: ControlsDependencies | null;
  }>;

/** All pages. */
export const pageRows = (web: WebContext, dependencies: PagesDependencies): readonly PageRow[] => {
  const { get, asset, offers, responses } = web;
  const { controls, explorer } = dependencies;
  return [
    get('/', (request) =>
      responses.page(request, (context) =>
        startPage(context, Object.values(operations), offers.offeredOn(request, context, responses.home)),
      ),
    ),
    asset(stylesheetPath, 'style.css'),
    // The API reference, where a signed-in user can try each operation, and the document behind it.
    get(docsPaths.document, assetAnswer(jsonType, forAWhile, openApi(dependencies))),
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
  ];
};

/** The OpenAPI document. What makes it is loaded when it is asked for. */
const openApi =
  ({ controls, basePath }: Pick<PagesDependencies, 'controls' | 'basePath'>) =>
  async (): Promise<string> => {
    const { openApiDocument } = await import('../openapi/document.js');
    const { readExamples } = await import('../openapi/examples.js');
    return JSON.stringify(openApiDocument(readExamples(), { hasMockControls: controls !== null, basePath }));
  };
