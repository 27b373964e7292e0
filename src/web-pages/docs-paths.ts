/** The paths of the API reference and its assets. */
export const docsPaths = {
  document: '/openapi.json',
  page: '/docs',
  script: '/docs/start.js',
  stylesheet: '/docs/page.css',
  swaggerUiScript: '/docs/swagger-ui-bundle.js',
  swaggerUiStylesheet: '/docs/swagger-ui.css',
} as const;
