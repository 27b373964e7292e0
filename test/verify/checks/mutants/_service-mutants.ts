import type { Mutant } from '../../_mutant.js';
import { answers, isAt } from '../../_mutation.js';
import { html } from '../../_values.js';

/** The service as a whole (contract, sections 1 and 7). */
export const serviceMutants: readonly Mutant[] = [
  [
    'an HTML page for a server error',
    answers('prs', (answer, { query }) =>
      query.get('status') === 'merged' ? { ...html, status: 500 } : answer,
    ),
    'prs.parameters',
    'service.json-type',
    'service.json-body',
  ],
  [
    'lists without a content type',
    answers('findings', (answer) => ({ ...answer, headers: {} })),
    'service.json-type',
  ],
  [
    'JSON after an anti-hijacking prefix',
    answers('repos', (answer) => ({ ...answer, text: `)]}'\n${answer.text}` })),
    'repos.array',
    'service.json-body',
  ],
  [
    'truncated JSON',
    answers('finding', (answer) =>
      answer.status === 200 ? { ...answer, text: answer.text.slice(0, -5) } : answer,
    ),
    'finding.as-listed',
    'service.json-body',
  ],
  [
    'a list of errors',
    answers('all', (answer) =>
      answer.status === 400 ? { ...answer, text: '{"errors":["limit"]}' } : answer,
    ),
    'service.error-body',
  ],
  [
    'DELETE of findings',
    async (incoming, real) => {
      const answer = await real(incoming.request);
      return incoming.request.method === 'OPTIONS' && isAt('finding', incoming)
        ? { ...answer, headers: { ...answer.headers, allow: 'GET, HEAD, DELETE' } }
        : answer;
    },
    'service.read-only',
  ],
];
