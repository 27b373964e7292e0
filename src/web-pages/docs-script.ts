import { docsPaths } from './docs-paths.js';

/**
 * Starts Swagger UI on the page of the API reference. It sends requests to this server only: its online
 * validator is turned off.
 */
export const docsScript = `'use strict';
const dark = window.matchMedia('(prefers-color-scheme: dark)');
const applyTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', applyTheme);
applyTheme();

const plugin = ({ React }) => ({
  wrapComponents: {
    // This server is the only one, so there is no list to choose from.
    ServersContainer: () => () => null,
    // Scripts can neither read nor set the session cookie, so there is nothing to enter.
    apiKeyAuth: () => () =>
      React.createElement(
        'p',
        { className: 'sent-by-browser' },
        'Session cookie: your browser sends it automatically while you are signed in.',
      ),
  },
});

// Swagger UI gives its inputs no accessible names, and its scrollable areas no keyboard focus.
const reference = document.querySelector('#reference');
new MutationObserver(() => {
  const unnamed = 'tr[data-param-name] :is(input, select):not([aria-label])';
  for (const control of reference.querySelectorAll(unnamed)) {
    control.setAttribute('aria-label', control.closest('tr').dataset.paramName);
  }
  for (const select of reference.querySelectorAll('.examples-select select:not([aria-label])')) {
    select.setAttribute('aria-label', 'Examples');
  }
  const unfocusable = ':is(.microlight, .curl, .highlight-code pre):not([tabindex])';
  for (const code of reference.querySelectorAll(unfocusable)) code.tabIndex = 0;
}).observe(reference, { childList: true, subtree: true });

window.SwaggerUIBundle({
  url: '${docsPaths.document}',
  dom_id: '#reference',
  presets: [window.SwaggerUIBundle.presets.apis],
  plugins: [plugin],
  validatorUrl: null,
  tryItOutEnabled: true,
  // The default theme has too little contrast.
  syntaxHighlight: { theme: 'tomorrow-night' },
  displayRequestDuration: true,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  // Swagger UI adds a second <main>, but a page may have only one.
  onComplete: () => reference.querySelector('main').setAttribute('role', 'group'),
});
`;
