import {
  answersIf,
  each,
  elsewhere,
  failures,
  html,
  isAt,
  type Mutation,
  type Place,
  places,
  plain,
  serversOf,
  texts,
  type WrongServer,
} from '../_mutation.js';

/** Responses of one place with another content type. */
const typed = (place: Place, type: string): Mutation =>
  answersIf(place, () => ({ headers: { 'content-type': type } }));

/** OPTIONS lists these methods. */
const allowing =
  (place: Place, allow: string): Mutation =>
  async (incoming, real) => {
    const answer = await real(incoming.request);
    return incoming.request.method === 'OPTIONS' && isAt(place, incoming)
      ? { ...answer, headers: { ...answer.headers, allow } }
      : answer;
  };

/** The service as a whole (contract, sections 1 and 7). */
export const serviceServers: readonly WrongServer[] = [
  ...serversOf({
    'server-error: an HTML page for a server error': answersIf('prs', ({ query }) =>
      query.get('status') === 'merged' ? { ...html, status: 500 } : {},
    ),
    'content-type: lists without a content type': answersIf('findings', () => ({ headers: {} })),
    'not-json: JSON after an anti-hijacking prefix': texts('repos', (text) => `)]}'\n${text}`),
    'not-json: truncated JSON': texts('finding', (text) =>
      text.startsWith('{"error"') ? text : text.slice(0, -5),
    ),
    'refusal-body: a 401 with a list of errors': failures('all', 401, {
      text: '{"errors":["Unauthorized"]}',
    }),
    'not-json: an HTML page for a refusal': failures('findings', 400, html),
    'not-json: a plain text for a refusal': failures('prs', 400, plain('Bad Request')),
    'other-paths: an HTML page for unknown paths under /api': elsewhere(() => html),
    'other-paths: a plain text for unknown paths under /api': elsewhere(() => plain('Not Found')),
    'other-paths: an HTML page for strangers at unknown paths under /api': elsewhere((_, { request }) =>
      request.headers.Cookie ? {} : html,
    ),
    'other-paths: an HTML page for paths below a finding': elsewhere((_, { path }) =>
      path.includes('findings') ? html : {},
    ),
    'other-paths: JSON labelled as HTML for unknown paths under /api': elsewhere(() => ({
      headers: html.headers,
    })),
    'byte-order-mark: a byte-order mark before failures only': failures('all', 401, {
      text: '\uFEFF{"error":"Unauthorized"}',
    }),
    'repeated-key: a key twice, once escaped': texts('findings', (text) =>
      text.replaceAll('"status":', '"stat\\u0075s":"none","status":'),
    ),
    'repeated-key: totalItems twice': texts('prs', (text) => text.replace(/}$/, ',"totalItems":0}')),
    'repeated-key: error twice': failures('all', 401, {
      text: '{"error":"No session","error":"Unauthorized"}',
    }),
    'refusal-body: an empty body for a 401': failures('all', 401, { text: '' }),
    'writes: DELETE of findings': allowing('finding', 'GET, HEAD, DELETE'),
  }),
  ...each(places, (place) => ({
    'byte-order-mark: *: a byte-order mark': texts(place, (text) => `\uFEFF${text}`),
    'repeated-key: *: the id of each row occurs twice': texts(place, (text) =>
      text.replaceAll('"id":', '"id":"","id":'),
    ),
    'content-type: *: JSON as a script': typed(place, 'text/javascript'),
    'content-type: *: JSON as text': typed(place, 'text/plain; charset=utf-8'),
    'not-json: *: a body with a comma at its end': texts(place, (text) => text.replace(/([}\]])$/, ',$1')),
    'not-json: *: a comment after the body': texts(place, (text) => `${text}// served in 3 ms`),
    'writes: *: POST is allowed': allowing(place, 'GET,POST'),
  })),
];
