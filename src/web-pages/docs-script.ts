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

// The id of a finding of the user who is signed in; undefined if there is none.
const ownFindingId = async () => {
  if (reference.dataset.signedIn !== 'yes') return undefined;
  try {
    const response = await fetch('/api/v1/findings?limit=1');
    return response.ok ? (await response.json()).items[0]?.id : undefined;
  } catch {
    return undefined;
  }
};

// Swagger UI fills in the examples of the document. A filter that is filled in would hide most of a list, and
// the id of the example belongs to one of the shipped tenants.
const withOwnExamples = async (document) => {
  const id = await ownFindingId();
  for (const parameter of Object.values(document.paths).flatMap(({ get }) => get.parameters)) {
    const say = (note) => {
      parameter.description = parameter.description.replace(/ The example is of the tenant [^.]+\\./, note);
    };
    if (!parameter.required) {
      delete parameter.example;
      say('');
    } else if (id !== undefined) {
      parameter.example = id;
      say(' The example is one of yours.');
    }
  }
  return document;
};

// The page shows the mock controls with ?controls.
const isOfControls = new URLSearchParams(window.location.search).has('controls');

window.SwaggerUIBundle({
  url: isOfControls ? '${docsPaths.controlsDocument}' : '${docsPaths.document}',
  dom_id: '#reference',
  presets: [window.SwaggerUIBundle.presets.apis],
  plugins: [plugin],
  responseInterceptor: async (response) => {
    if (!response.ok || new URL(response.url).pathname !== '${docsPaths.document}') return response;
    return { ...response, text: JSON.stringify(await withOwnExamples(JSON.parse(response.text))) };
  },
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
