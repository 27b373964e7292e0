import type { Mutant } from '../_mutant.js';
import { answers, isAt } from '../_mutation.js';
import { html } from '../_values.js';

/** The service as a whole (contract, sections 1 and 7). */
export const serviceMutants: readonly Mutant[] = [
  [
    'HTML for a fault',
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
    'JSON after a guard',
    answers('repos', (answer) => ({ ...answer, text: `)]}'\n${answer.text}` })),
    'repos.array',
    'service.json-body',
  ],
  [
    'JSON that breaks off',
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
    async (asked, real) => {
      const answer = await real(asked.request);
      return asked.request.method === 'OPTIONS' && isAt('finding', asked)
        ? { ...answer, headers: { ...answer.headers, allow: 'GET, HEAD, DELETE' } }
        : answer;
    },
    'service.read-only',
  ],
];
