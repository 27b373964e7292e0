import { docsPaths } from './docs-paths.js';

/**
 * Starts Swagger UI on the page of the API reference. Nothing is sent elsewhere: its validator, which is a server on the
 * internet, is turned off.
 */
export const docsScript = `'use strict';
const dark = window.matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

const ours = ({ React }) => ({
  wrapComponents: {
    // There is one server, this one.
    ServersContainer: () => () => null,
    // Scripts may neither read nor set the session cookie.
    apiKeyAuth: () => () =>
      React.createElement(
        'p',
        { className: 'sent-by-browser' },
        'The session cookie: your browser sends it by itself while you are signed in.',
      ),
  },
});

// It leaves its fields without names, and what scrolls out of the keyboard's reach.
const reference = document.querySelector('#reference');
new MutationObserver(() => {
  for (const control of reference.querySelectorAll('tr[data-param-name] :is(input, select):not([aria-label])')) {
    control.setAttribute('aria-label', control.closest('tr').dataset.paramName);
  }
  for (const select of reference.querySelectorAll('.examples-select select:not([aria-label])')) {
    select.setAttribute('aria-label', 'Examples');
  }
  for (const code of reference.querySelectorAll(':is(.microlight, .curl, .highlight-code pre):not([tabindex])')) code.tabIndex = 0;
}).observe(reference, { childList: true, subtree: true });

window.SwaggerUIBundle({
  url: '${docsPaths.document}',
  dom_id: '#reference',
  presets: [window.SwaggerUIBundle.presets.apis],
  plugins: [ours],
  validatorUrl: null,
  tryItOutEnabled: true,
  // Its usual colours for code are hard to read.
  syntaxHighlight: { theme: 'tomorrow-night' },
  displayRequestDuration: true,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  // It brings a second <main>, and a page has one.
  onComplete: () => reference.querySelector('main').setAttribute('role', 'group'),
});
`;
