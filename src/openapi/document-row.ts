import type { Row } from '../api/call.js';
import { jsonType } from '../api/rendered.js';
import { assetAnswer, forAWhile } from '../api/response.js';
import { plainRow } from '../api/routes.js';

/** `/openapi.json`, the OpenAPI document. What makes it is loaded when it is asked for. */
export const openApiRow = (settings: Readonly<{ basePath: string; hasControls?: boolean }>): Row => {
  const { basePath, hasControls = false } = settings;
  const read = async (): Promise<string> => {
    const { openApiDocument } = await import('./document.js');
    const { readExamples } = await import('./examples.js');
    return JSON.stringify(openApiDocument(readExamples(), { hasMockControls: hasControls, basePath }));
  };
  return plainRow('GET', '/openapi.json', assetAnswer(jsonType, forAWhile, read));
};
