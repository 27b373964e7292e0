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

window.SwaggerUIBundle({
  url: '${docsPaths.document}',
  dom_id: '#reference',
  presets: [window.SwaggerUIBundle.presets.apis],
  plugins: [ours],
  validatorUrl: null,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  // It brings a second <main>, and a page has one.
  onComplete: () => document.querySelector('#reference main').setAttribute('role', 'group'),
});
`;
