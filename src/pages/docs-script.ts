import { docsCurl } from './docs-curl.js';
import { docsPlugin } from './docs-plugin.js';
import { docsPaths } from './paths.js';

/**
 * Starts Swagger UI on the page of the API reference. It sends requests to this server only: its online
 * validator is turned off.
 */
export const docsScript = `'use strict';
const reference = document.querySelector('#reference');
${docsCurl}${docsPlugin}
// Swagger UI gives its inputs no accessible names, and its scrollable areas no keyboard focus.
new MutationObserver(() => {
  const unnamed = 'tr[data-param-name] :is(input, select):not([aria-label])';
  for (const control of reference.querySelectorAll(unnamed)) {
    control.setAttribute('aria-label', control.closest('tr').dataset.paramName);
  }
  for (const select of reference.querySelectorAll('.examples-select select:not([aria-label])')) {
    select.setAttribute('aria-label', 'Examples');
  }
  // Its title is an h1, as the title of the page is.
  for (const title of reference.querySelectorAll('h1:not([aria-level])')) title.setAttribute('aria-level', '2');
  for (const button of reference.querySelectorAll('.close-modal:not([aria-label])')) button.setAttribute('aria-label', 'Close');
  for (const button of reference.querySelectorAll('.auth-btn-wrapper [aria-label]')) button.removeAttribute('aria-label');
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

// The content above an element may still grow. This ends when the visitor scrolls, clicks, types or goes to
// another address.
let stopKeeping = () => {};
const keepInView = (element) => {
  const observer = new ResizeObserver(() => element.scrollIntoView());
  observer.observe(reference);
  stopKeeping = () => observer.disconnect();
};
for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown']) window.addEventListener(type, () => stopKeeping());

// An address opens an operation: /docs#listPrs, or Swagger UI's form, /docs#/Pull%20requests/listPrs.
const openAddressed = (hash) => {
  stopKeeping();
  const paths = ui.specSelectors.specJson().toJS().paths ?? {};
  for (const { operationId, tags } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    if (hash !== '#' + operationId && hash !== '#/' + encodeURIComponent(tags[0]) + '/' + operationId) continue;
    ui.layoutActions.show(['operations-tag', tags[0]], true);
    ui.layoutActions.show(['operations', tags[0], operationId], true);
    const summary = reference.querySelector('.opblock[id$="-' + CSS.escape(operationId) + '"] .opblock-summary-control');
    // The window is scrolled once the operation has its height.
    requestAnimationFrame(() => requestAnimationFrame(() => {
      if (summary === null) return;
      summary.focus({ preventScroll: true });
      summary.scrollIntoView();
      keepInView(summary);
    }));
  }
  if (hash === '#response-headers') document.querySelector(hash)?.scrollIntoView();
};
window.addEventListener('hashchange', () => openAddressed(location.hash));
// Swagger UI replaces the address when it starts.
const addressedFirst = location.hash;

const ui = window.SwaggerUIBundle({
  url: isOfControls ? '${docsPaths.controlsDocument}' : '${docsPaths.document}',
  dom_id: '#reference',
  presets: [window.SwaggerUIBundle.presets.apis],
  plugins: [plugin],
  responseInterceptor: async (response) => {
    if (!response.ok || new URL(response.url).pathname !== '${docsPaths.document}') return response;
    return { ...response, text: JSON.stringify(await withOwnExamples(JSON.parse(response.text))) };
  },
  // A request has one credential: with a token, no cookie is sent, so that a wrong token is answered 401.
  requestInterceptor: (request) => {
    if (request.headers?.Authorization !== undefined) request.credentials = 'omit';
    return request;
  },
  validatorUrl: null,
  tryItOutEnabled: true,
  // The stylesheet has the colors of code.
  syntaxHighlight: { activated: false },
  displayRequestDuration: true,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  onComplete: () => openAddressed(addressedFirst),
});
`;
