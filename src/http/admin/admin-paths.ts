import { docsPaths } from '../../pages/paths.js';

/** What the paths of the mock controls begin with. */
export const adminRoot = '/__admin';

/** The OpenAPI document of the controls. */
export const adminDocumentPath = docsPaths.controlsDocument;

/** Whether a path is one of the controls, whether there is such a control or not. */
export const isAdminPath = (path: string): boolean => path === adminRoot || path.startsWith(`${adminRoot}/`);
