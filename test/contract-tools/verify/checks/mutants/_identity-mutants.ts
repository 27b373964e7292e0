import { answers, everyRow, failures, isAt, type Mutant, type Mutation, rows } from '../../_mutation.js';
import { html, looseComparisons, repoIdBy, text } from '../../_values.js';

/** One finding (contract, sections 4.3 and 7). */
export const detailMutants: readonly Mutant[] = [
  [
    'detail-differs: detail: another fixedRange',
    rows('finding', (row) => ({ ...row, fixedRange: `${row.fixedRange} ` })),
    'finding.as-listed',
  ],
  [
    'detail-differs: detail: newer than the list',
    rows('findings', (row) => ({ ...row, ciStatus: 'unknown' })),
    'finding.as-listed',
  ],
  [
    'id-not-decoded: detail: the id is not decoded',
    async (incoming, real) =>
      isAt('finding', incoming) && incoming.path.includes('%')
        ? real({ ...incoming.request, target: '/api/v1/findings/nope' })
        : real(incoming.request),
    'finding.as-listed',
    'finding.pr-count-bounds',
  ],
  [
    'pr-count: detail: prCount counts all repositories',
    rows('finding', (row) => ({ ...row, prCount: 1000 })),
    'finding.pr-count-bounds',
  ],
  [
    'wrong-type: detail: prCount below zero',
    rows('finding', (row) => ({ ...row, prCount: -1 })),
    'finding.pr-count-bounds',
  ],
  [
    'not-found-body: unknown finding: the generic body',
    failures('finding', 404, { text: '{"error":"Not found"}' }),
    'finding.unknown',
    'finding.unknown-by-token',
  ],
  [
    'not-found-body: unknown finding: a capital letter',
    failures('finding', 404, { text: '{"error":"Finding not found"}' }),
    'finding.unknown',
    'finding.unknown-by-token',
  ],
  [
    'not-found-body: unknown finding: a further field',
    failures('finding', 404, { text: '{"error":"finding not found","id":"x"}' }),
    'finding.unknown',
    'service.error-body',
  ],
  [
    'not-found-status: unknown finding: answered 400',
    failures('finding', 404, { status: 400 }),
    'finding.unknown',
    'isolation.finding',
  ],
  [
    'not-found-status: unknown finding: 200 and null',
    failures('finding', 404, { status: 200, text: 'null' }),
    'finding.unknown',
    'isolation.finding',
  ],
  [
    'not-found-body: unknown finding: an HTML page',
    failures('finding', 404, html),
    'finding.unknown',
    'service.json-type',
    'service.json-body',
  ],
  [
    'credentials-late: unknown finding: strangers are answered 404',
    answers('finding', (answer, { path }) =>
      answer.status === 401 && path.includes('verify')
        ? { ...answer, status: 404, text: '{"error":"finding not found"}' }
        : answer,
    ),
    'finding.unknown-to-strangers',
  ],
];

/** A finding that is found by an id that is not exactly its own. */
const foundBy =
  (
    isSame: (id: string, requested: string) => boolean,
    isWhen: (headers: Readonly<Record<string, string>>) => boolean,
  ): Mutation =>
  async (incoming, real) => {
    const answer = await real(incoming.request);
    const { headers } = incoming.request;
    if (!isAt('finding', incoming) || answer.status !== 404 || !isWhen(headers)) return answer;
    const requested = decodeURIComponent(incoming.path.slice('/api/v1/findings/'.length));
    const listed = { ...incoming.request, headers: { Cookie: 'session=boundary-session' } };
    const all = await everyRow({ ...incoming, request: listed, path: '/api/v1/findings' }, real);
    const found = all.find(({ id }) => isSame(text(id), requested));
    return found === undefined
      ? answer
      : real({ ...incoming.request, target: `/api/v1/findings/${encodeURIComponent(text(found.id))}` });
  };

const details = looseComparisons.flatMap(([description, isSame]): readonly Mutant[] => [
  [
    `id-inexact: finding: ids are compared ${description}`,
    foundBy(isSame, ({ Cookie }) => Cookie !== undefined),
    'finding.id-exact',
  ],
  [
    `id-inexact: finding: with a token, ids are compared ${description}`,
    foundBy(isSame, ({ Authorization }) => Authorization !== undefined),
    'finding.id-exact-by-token',
  ],
]);

const selections: typeof looseComparisons = [
  ...looseComparisons,
  ['as a list', (id, requested) => requested.split(',').includes(id)],
  [
    'as a pattern of SQL',
    (id, requested) => id.startsWith(requested.replace(/%$/, '')) && requested.length > 4,
  ],
  [
    'as a pattern of file names',
    (id, requested) => id === requested || (requested.endsWith('*') && id.startsWith(requested.slice(0, -1))),
  ],
];

const filters = (['findings', 'prs'] as const).flatMap((place) =>
  selections.map(
    ([description, isIn]): Mutant => [
      `repo-id-inexact: ${place}: repoId is compared ${description}`,
      repoIdBy(place, isIn),
      `${place}.repo-id-exact`,
    ],
  ),
);

/** Ids of a form that servers may refuse or stumble over. */
const forms: readonly (readonly [description: string, isMeant: (id: string) => boolean])[] = [
  ['a number', (id) => id === '-1'],
  ['with a letter that is not ASCII', (id) => /[^ -~]/.test(id)],
  ['with a quote', (id) => id.includes("'")],
];

const refusedForms = forms.flatMap(([description, isMeant]): readonly Mutant[] => [
  [
    `odd-id: finding: an id that is ${description} is refused`,
    answers('finding', (answer, { path }) =>
      isMeant(decodeURIComponent(path.slice('/api/v1/findings/'.length)))
        ? { ...answer, status: 400, text: '{"error":"id"}' }
        : answer,
    ),
    'finding.unknown-odd',
  ],
  ...(['findings', 'prs'] as const).map(
    (place): Mutant => [
      `odd-id: ${place}: a repoId that is ${description} is refused`,
      answers(place, (answer, { query }) =>
        isMeant(query.get('repoId') ?? '') ? { ...answer, status: 400, text: '{"error":"repoId"}' } : answer,
      ),
      `${place}.repo-id-odd`,
    ],
  ),
]);

const longIds: readonly Mutant[] = [
  [
    'odd-id: finding: an id of many characters is answered 500',
    answers('finding', (answer, { path }) =>
      path.length > 200 ? { ...answer, status: 500, text: '{"error":"Internal server error"}' } : answer,
    ),
    'finding.unknown-odd',
  ],
  [
    'odd-id: finding: an id of many characters is answered 414',
    answers('finding', (answer, { path }) => (path.length > 300 ? { ...answer, status: 414 } : answer)),
    'finding.unknown-odd',
  ],
];

/** Ids that are not compared exactly (contract, sections 2, 4.2, 4.3 and 4.4). */
export const identityMutants: readonly Mutant[] = [...details, ...filters, ...refusedForms, ...longIds];
