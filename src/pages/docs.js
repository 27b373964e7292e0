'use strict';
// Starts Swagger UI on the page of the API reference. It sends requests to this server only: its online
// validator is turned off.
const reference = document.querySelector('#reference');

// A request is shown as a command that has the kind of credential that was sent, never its value: as in the
// explorer, curl reads the session from a file of cookies and the token from a variable of the shell.
const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`;

// The browser sends the cookie unless there is a token. The mock controls take no session.
const sendsCookie = (url, hasToken) =>
  !hasToken &&
  reference.dataset.signedIn === 'yes' &&
  new URL(url, location.href).pathname.startsWith('/api/');

// curl sends it by itself.
const isDefault = ([name, value]) => name.toLowerCase() === 'accept' && value === '*/*';

const isToken = ([name]) => name.toLowerCase() === 'authorization';

const curlCommand = (request) => {
  const { url, method = 'GET', headers = {}, body } = request.toJS();
  const entries = Object.entries(headers);
  const hasToken = entries.some(isToken);
  return [
    'curl',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...(sendsCookie(url, hasToken) ? ['-b triage.cookies'] : []),
    ...(hasToken ? ['-H "Authorization: Bearer $TRIAGE_TOKEN"'] : []),
    ...entries
      .filter((entry) => !isToken(entry) && !isDefault(entry))
      .map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(typeof body === 'string' ? [`--data-raw ${quote(body)}`] : []),
    quote(new URL(url, location.href).href),
  ].join(' ');
};

const logInCommand = () =>
  'curl -c triage.cookies --data-urlencode ' +
  quote(`email=${reference.dataset.email}`) +
  " --data-urlencode 'password=YOUR-PASSWORD' " +
  quote(`${location.origin}/login`);

const credentialNote = (request, element) => {
  const { url, headers = {} } = request.toJS();
  const hasToken = Object.entries(headers).some(isToken);
  if (hasToken) {
    return [
      'Sent with the bearer token. Its value is not shown: set it with ',
      element('code', null, 'export TRIAGE_TOKEN=…'),
      '.',
    ];
  }
  if (sendsCookie(url, hasToken)) {
    return [
      'Sent with the session cookie. Its value is not shown; this command gets a session for curl: ',
      element('code', null, logInCommand()),
    ];
  }
  return ['Sent without a credential.'];
};

// JSON in colors of the stylesheet: names, texts, and other values. Long texts stay plain.
const colored = (text, element) => {
  if (typeof text !== 'string' || text.length > 200000 || !/^\s*[[{"]/.test(text)) return text;
  const parts = text.split(/("(?:[^"\\\n]|\\.)*"(?:\s*:)?)/);
  return parts.map((part, key) =>
    key % 2 === 0
      ? part
      : element('span', { key, className: part.endsWith(':') ? 'json-name' : 'json-text' }, part),
  );
};

// Each header of the responses, with the statuses that have it and those that may have it.
const headersOf = (paths) => {
  const found = new Map();
  const all = new Set();
  for (const { responses } of Object.values(paths ?? {}).flatMap((methods) => Object.values(methods))) {
    for (const [status, { headers }] of Object.entries(responses ?? {})) {
      all.add(status);
      for (const [name, { description, required, 'x-triage-decision': decision = '' }] of Object.entries(
        headers ?? {},
      )) {
        const header = found.get(name) ?? {
          name,
          description,
          decision,
          always: new Set(),
          sometimes: new Set(),
        };
        found.set(name, header);
        header[required ? 'always' : 'sometimes'].add(status);
      }
    }
  }
  return { headers: [...found.values()], all };
};

const plugin = ({ React, getComponent, specSelectors }) => {
  const element = React.createElement;
  const Markdown = ({ source }) => element(getComponent('Markdown', true), { source });

  const names = (statuses, all) =>
    statuses.size === all.size ? 'every status' : [...statuses].sort().join(', ');
  const where = ({ always, sometimes }, all) =>
    [
      ...(always.size === 0 ? [] : [names(always, all)]),
      ...(sometimes.size === 0 ? [] : [`possible with ${names(sometimes, all)}`]),
    ].join('; ');

  const ResponseHeaders = () => {
    const { headers, all } = headersOf(specSelectors.specJson().toJS().paths);
    if (headers.length === 0) return null;
    // What all of them share is said once.
    const decisions = new Set(headers.map(({ decision }) => decision));
    const shared = decisions.size === 1 && !decisions.has('') ? ` *Our decision:* ${[...decisions][0]}` : '';
    return element(
      'section',
      { className: 'response-headers', id: 'response-headers' },
      element('h3', null, 'Response headers'),
      element(Markdown, { source: `Every operation answers with the same headers.${shared}` }),
      element(
        'table',
        { className: 'header-list' },
        element(
          'thead',
          null,
          element(
            'tr',
            null,
            ...['Header', 'Statuses', 'Meaning'].map((name) =>
              element('th', { key: name, scope: 'col' }, name),
            ),
          ),
        ),
        element(
          'tbody',
          null,
          ...headers.map((header) =>
            element(
              'tr',
              { key: header.name },
              element('th', { scope: 'row' }, element('code', null, header.name)),
              element('td', null, where(header, all)),
              element('td', null, element(Markdown, { source: header.description.replace(shared, '') })),
            ),
          ),
        ),
      ),
    );
  };

  const Curl = ({ request }) => {
    const command = curlCommand(request);
    return element(
      'div',
      { className: 'curl-command' },
      element('h4', null, 'Curl'),
      element('pre', { className: 'curl', tabIndex: 0 }, command),
      element('p', { className: 'credential-note' }, ...credentialNote(request, element)),
    );
  };

  // Swagger UI adds a second <main>, but a page may have only one.
  const withoutMain = (node) => {
    if (node?.type !== 'main') return node;
    const { children, ...props } = node.props;
    return element('div', { ...props, key: node.key }, ...React.Children.toArray(children));
  };

  return {
    // The script of the page shows the operation that was addressed. Swagger UI would scroll there, too, and
    // for a while: to the one before it, if another is addressed meanwhile.
    statePlugins: { layout: { wrapActions: { scrollToElement: () => () => undefined } } },
    wrapComponents: {
      VersionPragmaFilter:
        (Filter) =>
        ({ children, ...props }) =>
          element(Filter, props, ...React.Children.toArray(children).map(withoutMain)),
      // This server is the only one, so there is no list to choose from.
      ServersContainer: () => () => null,
      // Scripts can neither read nor set the session cookie, so there is nothing to enter.
      apiKeyAuth: () => () =>
        element(
          'p',
          { className: 'sent-by-browser' },
          'Session cookie: your browser sends it automatically while you are signed in.',
        ),
      // The headers of the responses are listed once, before the schemas.
      headers: () => () => null,
      Models: (Models) => (props) =>
        element(React.Fragment, null, element(ResponseHeaders), element(Models, props)),
      responses: (Responses) => (props) =>
        element(
          React.Fragment,
          null,
          element(Responses, props),
          props.responses?.some((response) => response?.get?.('headers')?.size > 0)
            ? element(
                'p',
                { className: 'headers-note' },
                element('a', { href: '#response-headers' }, 'Response headers'),
              )
            : null,
        ),
      curl: () => Curl,
      PlainTextViewer:
        () =>
        ({ className = '', children }) =>
          element('pre', { className: `microlight ${className}`, tabIndex: 0 }, colored(children, element)),
      // The path of an operation is in a button, which must not contain a link.
      DeepLink:
        () =>
        ({ text }) =>
          element('span', null, text),
    },
  };
};

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
  for (const title of reference.querySelectorAll('h1:not([aria-level])'))
    title.setAttribute('aria-level', '2');
  for (const button of reference.querySelectorAll('.close-modal:not([aria-label])'))
    button.setAttribute('aria-label', 'Close');
  for (const button of reference.querySelectorAll('.auth-btn-wrapper [aria-label]'))
    button.removeAttribute('aria-label');
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
      parameter.description = parameter.description.replace(/ The example is of the tenant [^.]+\./, note);
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
for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
  window.addEventListener(type, () => stopKeeping());

// An address opens an operation: /docs#listPrs, or Swagger UI's form, /docs#/Pull%20requests/listPrs.
const openAddressed = (hash) => {
  stopKeeping();
  const paths = ui.specSelectors.specJson().toJS().paths ?? {};
  for (const { operationId, tags } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    if (hash !== `#${operationId}` && hash !== `#/${encodeURIComponent(tags[0])}/${operationId}`) continue;
    ui.layoutActions.show(['operations-tag', tags[0]], true);
    ui.layoutActions.show(['operations', tags[0], operationId], true);
    const summary = reference.querySelector(
      `.opblock[id$="-${CSS.escape(operationId)}"] .opblock-summary-control`,
    );
    // The window is scrolled once the operation has its height.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (summary === null) return;
        summary.focus({ preventScroll: true });
        summary.scrollIntoView();
        keepInView(summary);
      }),
    );
  }
  if (hash === '#response-headers') document.querySelector(hash)?.scrollIntoView();
};
window.addEventListener('hashchange', () => openAddressed(location.hash));
// Swagger UI replaces the address when it starts.
const addressedFirst = location.hash;

const ui = window.SwaggerUIBundle({
  url: isOfControls ? '/__admin/openapi.json' : '/openapi.json',
  dom_id: '#reference',
  presets: [window.SwaggerUIBundle.presets.apis],
  plugins: [plugin],
  responseInterceptor: async (response) => {
    if (!response.ok || new URL(response.url).pathname !== '/openapi.json') return response;
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
