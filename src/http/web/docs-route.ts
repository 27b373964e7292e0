import type Router from '@koa/router';
import { openApiDocument } from '../../openapi/document.js';
import { readExamples } from '../../openapi/examples.js';
import { docsPage } from '../../web-pages/docs-page.js';
import { docsPaths } from '../../web-pages/docs-paths.js';
import { docsScript } from '../../web-pages/docs-script.js';
import { docsStylesheet } from '../../web-pages/docs-stylesheet.js';
import { asset } from '../asset.js';
import { respond } from '../response.js';
import type { WebContext } from './web-context.js';

/** The script and stylesheet of Swagger UI, which show the API reference. */
export type SwaggerUi = Readonly<{ script: string; stylesheet: string }>;

/**
 * `/openapi.json`, and `/docs`: the reference made from it, where a signed-in user can try each operation.
 */
export const addDocs = (
  router: Router,
  { responses }: Pick<WebContext, 'responses'>,
  swaggerUi: SwaggerUi,
): void => {
  router.get(
    docsPaths.document,
    asset('application/json', () => JSON.stringify(openApiDocument(readExamples()))),
  );
  router.get(
    docsPaths.page,
    respond((ctx) => responses.page(ctx, 200, docsPage)),
  );
  for (const [path, type, content] of [
    [docsPaths.script, 'text/javascript', docsScript],
    [docsPaths.stylesheet, 'text/css', docsStylesheet],
    [docsPaths.swaggerUiScript, 'text/javascript', swaggerUi.script],
    [docsPaths.swaggerUiStylesheet, 'text/css', swaggerUi.stylesheet],
  ] as const) {
    router.get(
      path,
      asset(`${type}; charset=utf-8`, () => content),
    );
  }
};
