import { answers, failures, isAt, type Mutant, rows } from '../../_mutation.js';
import { html } from '../../_values.js';

/** One finding (contract, sections 4.3 and 7). */
export const detailMutants: readonly Mutant[] = [
  [
    'detail: another fixedRange',
    rows('finding', (row) => ({ ...row, fixedRange: `${row.fixedRange} ` })),
    'finding.as-listed',
  ],
  [
    'detail: newer than the list',
    rows('findings', (row) => ({ ...row, ciStatus: 'unknown' })),
    'finding.as-listed',
  ],
  [
    'detail: the id is not decoded',
    async (incoming, real) =>
      isAt('finding', incoming) && incoming.path.includes('%')
        ? real({ ...incoming.request, target: '/api/v1/findings/nope' })
        : real(incoming.request),
    'finding.as-listed',
    'finding.pr-count-bounds',
  ],
  [
    'detail: prCount counts all repositories',
    rows('finding', (row) => ({ ...row, prCount: 1000 })),
    'finding.pr-count-bounds',
  ],
  [
    'detail: prCount below zero',
    rows('finding', (row) => ({ ...row, prCount: -1 })),
    'finding.pr-count-bounds',
  ],
  [
    'unknown finding: the generic body',
    failures('finding', 404, { text: '{"error":"Not found"}' }),
    'finding.unknown',
    'finding.unknown-by-token',
  ],
  [
    'unknown finding: a capital letter',
    failures('finding', 404, { text: '{"error":"Finding not found"}' }),
    'finding.unknown',
    'finding.unknown-by-token',
  ],
  [
    'unknown finding: a further field',
    failures('finding', 404, { text: '{"error":"finding not found","id":"x"}' }),
    'finding.unknown',
    'service.error-body',
  ],
  [
    'unknown finding: answered 400',
    failures('finding', 404, { status: 400 }),
    'finding.unknown',
    'isolation.finding',
  ],
  [
    'unknown finding: 200 and null',
    failures('finding', 404, { status: 200, text: 'null' }),
    'finding.unknown',
    'isolation.finding',
  ],
  [
    'unknown finding: an HTML page',
    failures('finding', 404, html),
    'finding.unknown',
    'service.json-type',
    'service.json-body',
  ],
  [
    'unknown finding: strangers are answered 404',
    answers('finding', (answer, { path }) =>
      answer.status === 401 && path.includes('verify')
        ? { ...answer, status: 404, text: '{"error":"finding not found"}' }
        : answer,
    ),
    'finding.unknown-to-strangers',
  ],
];
