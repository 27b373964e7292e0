import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { docsPaths } from '../../pages/paths.js';
import { docsPage } from '../../pages/reference-page.js';
import { asset } from '../asset.js';
import { respond } from '../response.js';
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
  { responses, readAsset }: Pick<WebContext, 'responses' | 'readAsset'>,
  hasControls: boolean,
): void => {
  router.get(docsPaths.document, document(hasControls));
  router.get(
    docsPaths.page,
    respond((ctx) => responses.page(ctx, 200, (context) => docsPage(context, hasControls))),
  );
  for (const [path, type, name] of [
    [docsPaths.script, 'text/javascript', 'docs.js'],
    [docsPaths.stylesheet, 'text/css', 'docs.css'],
    [docsPaths.swaggerUiScript, 'text/javascript', 'swagger-ui-bundle.js'],
    [docsPaths.swaggerUiStylesheet, 'text/css', 'swagger-ui.css'],
  ] as const) {
    router.get(
      path,
      asset(`${type}; charset=utf-8`, () => readAsset(name)),
    );
  }
};
