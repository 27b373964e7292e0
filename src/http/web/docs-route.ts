import type Router from '@koa/router';
import { openApiDocument } from '../../openapi/document.js';
import { examples } from '../../openapi/examples.js';
import { docsPage } from '../../pages/docs-page.js';
import { docsPaths } from '../../pages/docs-paths.js';
import { docsScript } from '../../pages/docs-script.js';
import { docsStylesheet } from '../../pages/docs-stylesheet.js';
import { asset } from '../asset.js';
import type { WebContext } from './web-context.js';

/** What the page of the API reference is made with: the script and stylesheet of Swagger UI. */
export type SwaggerUi = Readonly<{ script: string; stylesheet: string }>;

/** `/openapi.json`, and `/docs`: the reference made of it, where who is signed in can try each operation. */
export const addDocs = (
  router: Router,
  { answers, frameFor }: Pick<WebContext, 'answers' | 'frameFor'>,
  swaggerUi: SwaggerUi,
): void => {
  router.get(
    docsPaths.document,
    asset('application/json', () => JSON.stringify(openApiDocument(examples))),
  );
  router.get(docsPaths.page, async (ctx) => answers.page(ctx, 200, docsPage(await frameFor(ctx))));
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
