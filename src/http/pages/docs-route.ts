import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { docsScript } from '../../pages/docs-script.js';
import { docsStylesheet } from '../../pages/docs-stylesheet.js';
import { docsPaths } from '../../pages/paths.js';
import { docsPage } from '../../pages/reference-page.js';
import { asset } from '../asset.js';
import { respond } from '../response.js';
import type { SwaggerUi } from './swagger-ui.js';
import type { WebContext } from './web-context.js';

/** The OpenAPI document. What makes it is loaded with the first request for it. */
const document = (hasControls: boolean): Middleware => {
  let loaded: Promise<Middleware> | undefined;
  return async function document(ctx, next) {
    loaded ??= loadDocument(hasControls);
    return (await loaded)(ctx, next);
  };
};

const loadDocument = async (hasControls: boolean): Promise<Middleware> => {
  const { openApiDocument } = await import('../../openapi/document.js');
  const { readExamples } = await import('../../openapi/examples.js');
  return asset('application/json', () => JSON.stringify(openApiDocument(readExamples(), hasControls)));
};

/**
 * `/openapi.json`, and `/docs`: the reference made from it, where a signed-in user can try each operation.
 */
export const addDocs = (
  router: Router,
  { responses }: Pick<WebContext, 'responses'>,
  swaggerUi: SwaggerUi,
  hasControls: boolean,
): void => {
  router.get(docsPaths.document, document(hasControls));
  router.get(
    docsPaths.page,
    respond((ctx) => responses.page(ctx, 200, (context) => docsPage(context, hasControls))),
  );
  for (const [path, type, content] of [
    [docsPaths.script, 'text/javascript', () => docsScript],
    [docsPaths.stylesheet, 'text/css', () => docsStylesheet],
    [docsPaths.swaggerUiScript, 'text/javascript', () => swaggerUi.script],
    [docsPaths.swaggerUiStylesheet, 'text/css', () => swaggerUi.stylesheet],
  ] as const) {
    router.get(path, asset(`${type}; charset=utf-8`, content));
  }
};
