import type { Row } from '../../api/call.js';
import { jsonType } from '../../api/rendered.js';
import { assetAnswer, forAWhile } from '../../api/response.js';
import { plainRow } from '../../api/routes.js';
import { controlsRoot } from '../paths.js';
import { type ControlsSettings, controlsOf, forOperators } from './controls.js';

/** The document that describes the controls. What makes it is loaded when it is asked for. */
export const controlsDocumentRows = ({
  simulation = null,
  live = null,
  basePath,
}: ControlsSettings): readonly Row[] => {
  if (simulation === null) return [];
  const read = async (): Promise<string> => {
    const { controlsDocument } = await import('./document.js');
    const controls = controlsOf({ simulation, live, basePath });
    return JSON.stringify(controlsDocument(controls, `${basePath}${controlsRoot}`));
  };
  const answer = assetAnswer(jsonType, forAWhile, read);
  return [plainRow('GET', `${controlsRoot}/openapi.json`, answer, forOperators)];
};
