'use strict';
// Starts Swagger UI on the page of the API reference. It sends requests to this server only: its online
// validator is turned off.
const reference = document.querySelector('#reference');

// What comes before all paths of the server, as before `/docs` in that of this script.
const base = new URL('..', document.currentScript.src).pathname.slice(0, -1);

// A request is shown as a command that has the kind of credential that was sent, never its value: as in the
// explorer, curl reads the session from a file of cookies and the token from a variable of the shell.
const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`;

// What was sent: the browser sends the cookie unless there is a token. The mock controls take no session.
const credentialOf = (url, headers) => {
  if (headers.some(([name]) => name === 'authorization')) return 'token';
  const mayBeSession = reference.dataset.signedIn === 'yes' && url.pathname.startsWith(`${base}/api/`);
  return mayBeSession ? 'session' : 'none';
};

// Nothing but this browser reaches a demo that runs in it.
const inBrowser = document.querySelector('.mode-browser') !== null;

const withoutToken = (name, value) => (/^authorization$/i.test(name) ? 'Bearer YOUR-TOKEN' : value);

const shownRequest = (request) => {
  const { url: target, method = 'GET', headers: sent = {}, body } = request.toJS();
  const url = new URL(target, location.href);
  const headers = Object.entries(sent).map(([name, value]) => [name.toLowerCase(), value, name]);
  const credential = credentialOf(url, headers);
  // curl sends the header Accept by itself.
  const others = headers.filter(
    ([name, value]) => name !== 'authorization' && !(name === 'accept' && value === '*/*'),
  );
  const command = [
    'curl',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...(credential === 'session' ? ['-b triage.cookies'] : []),
    ...(credential === 'token' ? ['-H "Authorization: Bearer $TRIAGE_TOKEN"'] : []),
    ...others.map(([, value, name]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(typeof body === 'string' ? [`--data-raw ${quote(body)}`] : []),
    quote(url.href),
  ];
  const options = JSON.stringify({ method, headers: sent, body }, withoutToken);
  const ofConsole = `await fetch(${JSON.stringify(url.href)}, ${options})`;
  return { command: inBrowser ? ofConsole : command.join(' '), credential };
};

// What is said of a credential, around a command.
const credentialNotes = {
  token: ['Sent with the bearer token. Its value is not shown: set it with ', 'export TRIAGE_TOKEN=…', '.'],
  session: [
    'Sent with the session cookie. Its value is not shown; this command gets a session for curl: ',
    `curl -c triage.cookies --data-urlencode ${quote(`email=${reference.dataset.email}`)} ` +
      `--data-urlencode 'password=YOUR-PASSWORD' ${quote(`${location.origin}${base}/login`)}`,
  ],
  none: ['Sent without a credential.'],
};

// JSON in colors of the stylesheet: names, texts, and other values. Long texts stay plain.
const colored = (text, h) => {
  if (typeof text !== 'string' || text.length > 200000 || !/^\s*[[{"]/.test(text)) return text;
  const parts = text.split(/("(?:[^"\\\n]|\\.)*"(?:\s*:)?)/);
  const classOf = (part) => (part.endsWith(':') ? 'json-name' : 'json-text');
  return parts.map((part, key) =>
    key % 2 === 0 ? part : h('span', { key, className: classOf(part) }, part),
  );
};

const plugin = ({ React, getComponent, specSelectors }) => {
  const h = React.createElement;
  const Markdown = ({ source }) => h(getComponent('Markdown', true), { source });

  const Curl = ({ request }) => {
    const { command, credential } = shownRequest(request);
    const [before, code, after] = inBrowser ? [] : credentialNotes[credential];
    return h(
      'div',
      { className: 'curl-command' },
      h('h4', null, inBrowser ? 'In the console of this browser' : 'Curl'),
      h('pre', { className: 'curl', tabIndex: 0 }, command),
      h('p', { className: 'credential-note' }, before, code && h('code', null, code), after),
    );
  };

  // Swagger UI adds a second <main>, but a page may have only one.
  const withoutMain = (node) => {
    if (node?.type !== 'main') return node;
    const { children, ...props } = node.props;
    return h('div', { ...props, key: node.key }, ...React.Children.toArray(children));
  };
  const filterWithoutMain = (Filter, { children, ...props }) =>
    h(Filter, props, ...React.Children.toArray(children).map(withoutMain));

  // Most responses have the same headers, so that their meanings are folded.
  const folded = (Headers, props) => {
    const names = [...(props.headers?.keys() ?? [])].join(', ');
    return names && h('details', null, h('summary', null, `Headers: ${names}`), h(Headers, props));
  };
  // The operations come first, and what holds for all of them after the schemas.
  const About = () => {
    const { description } = specSelectors.specJson().toJS().info ?? {};
    if (isOfControls || description === undefined) return null;
    return h(
      'section',
      { className: 'about', id: 'about' },
      h('h3', null, 'About this API'),
      h(Markdown, { source: description }),
    );
  };
  const withAbout = (Models, props) => h(React.Fragment, null, h(Models, props), h(About));

  // Scripts can neither read nor set the session cookie, so there is nothing to enter.
  const sentByBrowser = 'Session cookie: your browser sends it automatically while you are signed in.';
  const Session = () => h('p', { className: 'sent-by-browser' }, sentByBrowser);

  const Code = ({ className = '', children }) =>
    h('pre', { className: `microlight ${className}`, tabIndex: 0 }, colored(children, h));
  // The path of an operation is in a button, which must not contain a link.
  const Path = ({ text }) => h('span', null, text);
  const Nothing = () => null;
  // Between the title of the page and those of the groups, for screen readers.
  const Heading = () => h('h2', { className: 'unseen' }, 'Operations');

  const around = (show) => (Original) => (props) => show(Original, props);
  const inPlace = (Own) => () => Own;
  return {
    // The script of the page shows the operation that was addressed. Swagger UI would scroll there, too, and
    // for a while: to the one before it, if another is addressed meanwhile.
    statePlugins: { layout: { wrapActions: { scrollToElement: () => () => undefined } } },
    wrapComponents: {
      VersionPragmaFilter: around(filterWithoutMain),
      // This server is the only one, so there is no list to choose from.
      ServersContainer: inPlace(Nothing),
      apiKeyAuth: inPlace(Session),
      headers: around(folded),
      Models: around(withAbout),
      ...(isOfControls ? {} : { InfoContainer: inPlace(Heading) }),
      curl: inPlace(Curl),
      PlainTextViewer: inPlace(Code),
      DeepLink: inPlace(Path),
    },
  };
};

// The button that was pressed last and its operation, and what is to get the focus: the response to its request
// or the field that is wrong, or the button itself once the dialog that it has opened is closed.
let [pressed, block, awaited, opener] = [null, null, null, null];
reference.addEventListener(
  'click',
  ({ target }) => {
    pressed = target.closest('button');
    block = pressed?.closest('.opblock');
    if (pressed?.matches('.execute')) awaited = block;
  },
  true,
);

// Tab stays in the dialog, and Escape closes it.
reference.addEventListener('keydown', (event) => {
  const dialog = event.target.closest('.modal-ux');
  if (dialog === null) return;
  if (event.key === 'Escape') dialog.querySelector('.close-modal').click();
  const stops = [...dialog.querySelectorAll('button, input, a[href]')];
  const [from, to] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
  if (event.key !== 'Tab' || event.target !== from) return;
  event.preventDefault();
  to.focus();
});

const moveFocus = () => {
  const dialog = reference.querySelector('.modal-ux');
  if (dialog !== null) {
    opener ??= pressed;
    dialog.setAttribute('role', 'dialog');
    dialog.setAttribute('aria-modal', 'true');
    if (!dialog.contains(document.activeElement)) dialog.querySelector('button, input')?.focus();
  } else if (opener !== null) {
    opener.focus();
    opener = null;
  } else if (block && !pressed.isConnected && document.activeElement === document.body) {
    // Such as the button that clears the response.
    block.querySelector('.execute')?.focus();
  }
  const invalid = awaited?.querySelector('.invalid:is(input, select)');
  if (invalid) {
    awaited = null;
    return invalid.focus();
  }
  const response = awaited?.querySelector('.live-responses-table');
  if (!response || awaited.querySelector('.loading-container')) return;
  awaited = null;
  response.setAttribute('tabindex', '-1');
  response.focus();
};

// Swagger UI gives its inputs and tables no accessible names, the buttons of all operations the same ones,
// and its scrollable areas no keyboard focus.
const change = (selector, set) => {
  for (const element of reference.querySelectorAll(selector)) set(element);
};
const name = (selector, nameOf) =>
  change(selector, (element) => {
    const block = element.closest('.opblock');
    element.setAttribute('aria-label', nameOf(element, block?.id.split('-').at(-1)));
  });
new MutationObserver(() => {
  name('tr[data-param-name] :is(input, select)', (control) => control.closest('tr').dataset.paramName);
  name('.examples-select select', () => 'Examples');
  name('.close-modal', () => 'Close the dialog');
  name('.modal-ux input', () => 'Value: an API token');
  name('.modal-ux', () => 'Available authorizations');
  name('.opblock button:is(.btn, .download-contents)', (button, id) => `${button.textContent} ${id}`);
  name('.opblock .authorization__btn', (button, id) =>
    button.matches('.locked') ? `Authorize ${id}: with a token` : `Authorize ${id}`,
  );
  name('.opblock-tag button', (button) => {
    const verb = button.getAttribute('aria-expanded') === 'true' ? 'Collapse' : 'Expand';
    return `${verb} ${button.closest('.opblock-tag').dataset.tag}`;
  });
  const inResponse = (element, id) => `${element.closest('.response')?.dataset.code} of ${id}`;
  name('.opblock .tablinks', (tab, id) => `${tab.textContent}, ${inResponse(tab, id)}`);
  name('.opblock .headers', (table, id) => `Headers of ${inResponse(table, id)}`);
  name('table.parameters', (_, id) => `Parameters of ${id}`);
  name('.responses-table', (table, id) =>
    table.matches('.live-responses-table') ? `Response to ${id}` : `Responses of ${id}`,
  );
  change('tr[data-param-name] :is(input, select)', (control) =>
    control.setAttribute('aria-invalid', control.matches('.invalid')),
  );
  change('table[role]', (table) => table.removeAttribute('role'));
  change('thead td', (cell) => cell.setAttribute('role', 'columnheader'));
  // Its title is an h1, as the title of the page is.
  change('h1:not([aria-level])', (title) => title.setAttribute('aria-level', '2'));
  change('.auth-btn-wrapper [aria-label]', (button) => button.removeAttribute('aria-label'));
  const unfocusable = ':is(.microlight, .curl, .highlight-code pre):not([tabindex])';
  change(unfocusable, (code) => code.setAttribute('tabindex', '0'));
  moveFocus();
}).observe(reference, { attributeFilter: ['class'], childList: true, subtree: true });

// The id of a finding of the user who is signed in; undefined if there is none.
const ownFindingId = async () => {
  if (reference.dataset.signedIn !== 'yes') return undefined;
  try {
    const response = await fetch(`${base}/api/v1/findings?limit=1`);
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

const pageTitle = document.title;

// An address opens an operation: /docs#listPrs, or Swagger UI's form, /docs#/Pull%20requests/listPrs.
const openAddressed = (hash) => {
  stopKeeping();
  const paths = ui.specSelectors.specJson().toJS().paths ?? {};
  for (const { operationId, tags } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    if (hash !== `#${operationId}` && hash !== `#/${encodeURIComponent(tags[0])}/${operationId}`) continue;
    document.title = `${operationId} · ${pageTitle}`;
    ui.layoutActions.show(['operations-tag', tags[0]], true);
    ui.layoutActions.show(['operations', tags[0], operationId], true);
    const block = reference.querySelector(`.opblock[id$="-${CSS.escape(operationId)}"]`);
    const summary = block?.querySelector('.opblock-summary-control') ?? null;
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
  if (hash === '#about') document.querySelector(hash)?.scrollIntoView();
};
window.addEventListener('hashchange', () => openAddressed(location.hash));
// Swagger UI replaces the address when it starts.
const addressedFirst = location.hash;

const ui = window.SwaggerUIBundle({
  url: `${base}${isOfControls ? '/__admin' : ''}/openapi.json`,
  dom_id: '#reference',
  presets: [window.SwaggerUIBundle.presets.apis],
  plugins: [plugin],
  responseInterceptor: async (response) => {
    if (!response.ok || new URL(response.url).pathname !== `${base}/openapi.json`) return response;
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
