/** The paths of the API reference and its assets. */
export const docsPaths = {
  document: '/openapi.json',
  /** The document of the mock controls, which a server may have. */
  controlsDocument: '/__admin/openapi.json',
  page: '/docs',
  script: '/docs/start.js',
  stylesheet: '/docs/page.css',
  swaggerUiScript: '/docs/swagger-ui-bundle.js',
  swaggerUiStylesheet: '/docs/swagger-ui.css',
} as const;
