/**
 * The part of the script of the API reference that replaces components of Swagger UI. `reference`,
 * `curlCommand` and `credentialNote` are those of the other parts.
 */
export const docsPlugin = `
// JSON in colors of the stylesheet: names, texts, and other values. Long texts stay plain.
const colored = (text, element) => {
  if (typeof text !== 'string' || text.length > 200000 || !/^\\s*[[{"]/.test(text)) return text;
  const parts = text.split(/("(?:[^"\\\\\\n]|\\\\.)*"(?:\\s*:)?)/);
  return parts.map((part, key) =>
    key % 2 === 0 ? part : element('span', { key, className: part.endsWith(':') ? 'json-name' : 'json-text' }, part),
  );
};

// Each header of the responses, with the statuses that have it and those that may have it.
const headersOf = (paths) => {
  const found = new Map();
  const all = new Set();
  for (const { responses } of Object.values(paths ?? {}).flatMap((methods) => Object.values(methods))) {
    for (const [status, { headers }] of Object.entries(responses ?? {})) {
      all.add(status);
      for (const [name, { description, required, 'x-triage-decision': decision = '' }] of Object.entries(headers ?? {})) {
        const header = found.get(name) ?? { name, description, decision, always: new Set(), sometimes: new Set() };
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

  const names = (statuses, all) => (statuses.size === all.size ? 'every status' : [...statuses].sort().join(', '));
  const where = ({ always, sometimes }, all) =>
    [
      ...(always.size === 0 ? [] : [names(always, all)]),
      ...(sometimes.size === 0 ? [] : ['possible with ' + names(sometimes, all)]),
    ].join('; ');

  const ResponseHeaders = () => {
    const { headers, all } = headersOf(specSelectors.specJson().toJS().paths);
    if (headers.length === 0) return null;
    // What all of them share is said once.
    const decisions = new Set(headers.map(({ decision }) => decision));
    const shared = decisions.size === 1 && !decisions.has('') ? ' *Our decision:* ' + [...decisions][0] : '';
    return element('section', { className: 'response-headers', id: 'response-headers' },
      element('h3', null, 'Response headers'),
      element(Markdown, { source: 'Every operation answers with the same headers.' + shared }),
      element('table', { className: 'header-list' },
        element('thead', null, element('tr', null,
          ...['Header', 'Statuses', 'Meaning'].map((name) => element('th', { key: name, scope: 'col' }, name)))),
        element('tbody', null, ...headers.map((header) =>
          element('tr', { key: header.name },
            element('th', { scope: 'row' }, element('code', null, header.name)),
            element('td', null, where(header, all)),
            element('td', null, element(Markdown, { source: header.description.replace(shared, '') })))))));
  };

  const Curl = ({ request }) => {
    const command = curlCommand(request);
    return element('div', { className: 'curl-command' },
      element('h4', null, 'Curl'),
      element('pre', { className: 'curl', tabIndex: 0 }, command),
      element('p', { className: 'credential-note' }, ...credentialNote(request, element)));
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
      VersionPragmaFilter: (Filter) => ({ children, ...props }) =>
        element(Filter, props, ...React.Children.toArray(children).map(withoutMain)),
      // This server is the only one, so there is no list to choose from.
      ServersContainer: () => () => null,
      // Scripts can neither read nor set the session cookie, so there is nothing to enter.
      apiKeyAuth: () => () =>
        element('p', { className: 'sent-by-browser' },
          'Session cookie: your browser sends it automatically while you are signed in.'),
      // The headers of the responses are listed once, before the schemas.
      headers: () => () => null,
      Models: (Models) => (props) =>
        element(React.Fragment, null, element(ResponseHeaders), element(Models, props)),
      responses: (Responses) => (props) =>
        element(React.Fragment, null, element(Responses, props),
          props.responses?.some((response) => response?.get?.('headers')?.size > 0)
            ? element('p', { className: 'headers-note' }, element('a', { href: '#response-headers' }, 'Response headers'))
            : null),
      curl: () => Curl,
      PlainTextViewer: () => ({ className = '', children }) =>
        element('pre', { className: 'microlight ' + className, tabIndex: 0 }, colored(children, element)),
      // The path of an operation is in a button, which must not contain a link.
      DeepLink: () => ({ text }) => element('span', null, text),
    },
  };
};
`;
