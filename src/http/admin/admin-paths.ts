/** What the paths of the mock controls begin with. */
export const adminRoot = '/__admin';

/** The OpenAPI document of the controls. */
export const adminDocumentPath = `${adminRoot}/openapi.json`;
