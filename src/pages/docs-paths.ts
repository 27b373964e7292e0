/** Where the API reference is, and all that it is made of. */
export const docsPaths = {
  document: '/openapi.json',
  page: '/docs',
  script: '/docs/start.js',
  stylesheet: '/docs/page.css',
  swaggerUiScript: '/docs/swagger-ui-bundle.js',
  swaggerUiStylesheet: '/docs/swagger-ui.css',
} as const;
