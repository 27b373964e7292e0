import type { HttpResponse } from '../../../../../src/client/fetch-send.js';
import { answers, type IncomingRequest, isAt, type Mutant, type Mutation } from '../../_mutation.js';
import { html } from '../../_values.js';

/** Changes the responses to paths under /api that no operation has. */
const elsewhere =
  (change: (answer: HttpResponse, incoming: IncomingRequest) => HttpResponse): Mutation =>
  async (incoming, real) => {
    const answer = await real(incoming.request);
    return isAt('all', incoming) && !/findings\/.+\//.test(incoming.path) ? answer : change(answer, incoming);
  };

/** The service as a whole (contract, sections 1 and 7). */
export const serviceMutants: readonly Mutant[] = [
  [
    'server-error: an HTML page for a server error',
    answers('prs', (answer, { query }) =>
      query.get('status') === 'merged' ? { ...html, status: 500 } : answer,
    ),
    'prs.parameters',
    'service.json-type',
    'service.json-body',
  ],
  [
    'content-type: lists without a content type',
    answers('findings', (answer) => ({ ...answer, headers: {} })),
    'service.json-type',
  ],
  [
    'not-json: JSON after an anti-hijacking prefix',
    answers('repos', (answer) => ({ ...answer, text: `)]}'\n${answer.text}` })),
    'repos.array',
    'service.json-body',
  ],
  [
    'not-json: truncated JSON',
    answers('finding', (answer) =>
      answer.status === 200 ? { ...answer, text: answer.text.slice(0, -5) } : answer,
    ),
    'finding.as-listed',
    'service.json-body',
  ],
  [
    'refusal-body: a 401 with a list of errors',
    answers('all', (answer) =>
      answer.status === 401 ? { ...answer, text: '{"errors":["Unauthorized"]}' } : answer,
    ),
    'service.error-body',
  ],
  [
    'not-json: an HTML page for a refusal',
    answers('findings', (answer) => (answer.status === 400 ? { ...answer, ...html } : answer)),
    'service.json-type',
    'service.json-body',
  ],
  [
    'not-json: a plain text for a refusal',
    answers('prs', (answer) =>
      answer.status === 400
        ? { ...answer, text: 'Bad Request', headers: { 'content-type': 'text/plain' } }
        : answer,
    ),
    'service.json-type',
    'service.json-body',
  ],
  [
    'other-paths: an HTML page for unknown paths under /api',
    elsewhere((answer) => ({ ...answer, ...html })),
    'service.other-paths',
  ],
  [
    'other-paths: a plain text for unknown paths under /api',
    elsewhere((answer) => ({ ...answer, text: 'Not Found', headers: { 'content-type': 'text/plain' } })),
    'service.other-paths',
  ],
  [
    'other-paths: an HTML page for strangers at unknown paths under /api',
    elsewhere((answer, { request }) => (request.headers.Cookie ? answer : { ...answer, ...html })),
    'service.other-paths',
  ],
  [
    'other-paths: an HTML page for paths below a finding',
    elsewhere((answer, { path }) => (path.includes('findings') ? { ...answer, ...html } : answer)),
    'service.other-paths',
  ],
  [
    'other-paths: JSON labelled as HTML for unknown paths under /api',
    elsewhere((answer) => ({ ...answer, headers: { 'content-type': 'text/html' } })),
    'service.other-paths',
  ],
  ...(['repos', 'findings', 'finding', 'prs'] as const).flatMap((place): readonly Mutant[] => [
    [
      `byte-order-mark: ${place}: a byte-order mark`,
      answers(place, (answer) => ({ ...answer, text: `\uFEFF${answer.text}` })),
      'service.byte-order-mark',
    ],
    [
      `repeated-key: ${place}: the id of each row occurs twice`,
      answers(place, (answer) => ({ ...answer, text: answer.text.replaceAll('"id":', '"id":"","id":') })),
      'service.unique-keys',
    ],
    [
      `content-type: ${place}: JSON as a script`,
      answers(place, (answer) => ({ ...answer, headers: { 'content-type': 'text/javascript' } })),
      'service.json-type',
    ],
    [
      `content-type: ${place}: JSON as text`,
      answers(place, (answer) => ({ ...answer, headers: { 'content-type': 'text/plain; charset=utf-8' } })),
      'service.json-type',
    ],
    [
      `not-json: ${place}: a body with a comma at its end`,
      answers(place, (answer) => ({ ...answer, text: answer.text.replace(/([}\]])$/, ',$1') })),
      'service.json-body',
    ],
    [
      `not-json: ${place}: a comment after the body`,
      answers(place, (answer) => ({ ...answer, text: `${answer.text}// served in 3 ms` })),
      'service.json-body',
    ],
    [
      `writes: ${place}: POST is allowed`,
      async (incoming, real) => {
        const answer = await real(incoming.request);
        return incoming.request.method === 'OPTIONS' && isAt(place, incoming)
          ? { ...answer, headers: { ...answer.headers, allow: 'GET,POST' } }
          : answer;
      },
      'service.read-only',
    ],
  ]),
  [
    'byte-order-mark: a byte-order mark before failures only',
    answers('all', (answer) =>
      answer.status === 401 ? { ...answer, text: `\uFEFF${answer.text}` } : answer,
    ),
    'service.byte-order-mark',
  ],
  [
    'repeated-key: a key twice, once escaped',
    answers('findings', (answer) => ({
      ...answer,
      text: answer.text.replaceAll('"status":', '"stat\\u0075s":"none","status":'),
    })),
    'service.unique-keys',
  ],
  [
    'repeated-key: totalItems twice',
    answers('prs', (answer) => ({ ...answer, text: answer.text.replace(/}$/, ',"totalItems":0}') })),
    'service.unique-keys',
  ],
  [
    'repeated-key: error twice',
    answers('all', (answer) =>
      answer.status === 401 ? { ...answer, text: '{"error":"No session","error":"Unauthorized"}' } : answer,
    ),
    'service.unique-keys',
  ],
  [
    'refusal-body: an empty body for a 401',
    answers('all', (answer) => (answer.status === 401 ? { ...answer, text: '' } : answer)),
    'service.json-body',
    'service.error-body',
  ],
  [
    'writes: DELETE of findings',
    async (incoming, real) => {
      const answer = await real(incoming.request);
      return incoming.request.method === 'OPTIONS' && isAt('finding', incoming)
        ? { ...answer, headers: { ...answer.headers, allow: 'GET, HEAD, DELETE' } }
        : answer;
    },
    'service.read-only',
  ],
];
