import type { Row } from '../api/call.js';
import { jsonType } from '../api/rendered.js';
import { assetAnswer, forAWhile } from '../api/response.js';
import { plainRow } from '../api/routes.js';

/**
 * `/openapi.json`, the OpenAPI document. What makes it is loaded when it is asked for. `simulation`: null or
 * left out where there are no mock controls.
 */
export const openApiRow = ({
  basePath,
  simulation = null,
}: Readonly<{ basePath: string; simulation?: object | null }>): Row => {
  const read = async (): Promise<string> => {
    const { openApiDocument } = await import('./document.js');
    const { readExamples } = await import('./examples.js');
    const hasMockControls = simulation !== null;
    return JSON.stringify(openApiDocument(readExamples(), { hasMockControls, basePath }));
  };
  return plainRow('GET', '/openapi.json', assetAnswer(jsonType, forAWhile, read));
};
