import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { anonymous, withToken } from '../../client/api-request.js';
import { findingRequest } from '../../client/operation-requests.js';
import { isJsonEqual } from '../../common/canonical-json.js';
import { FindingNotFoundBody, UnauthorizedBody } from '../../contract/error-bodies.js';
import { Finding } from '../../contract/finding.js';
import type { Check } from '../check.js';
import { allOf, own } from '../lists.js';
import { isRow, type Seen, textIn, wholeIn } from '../row.js';
import { asIn, type Case, verdictOf, violation } from '../verdict.js';
import { judgeError } from './judge-error.js';
import { type SampledDetail, sampleDetails } from './sampled-details.js';

/** An id that no finding has. */
export const unknownFindingId = 'triage-api-verify-no-such-finding';

/** The details that came, beside the items of the list; what is not 200 is a violation. */
const beside = (
  sample: readonly SampledDetail[],
  judge: (detail: Seen, listed: Seen) => readonly Case[],
): readonly Case[] =>
  sample.flatMap(({ listed, exchange: { ask, answer, body } }) =>
    answer.status === 200 && isRow(body)
      ? judge({ value: body, from: ask, path: [] }, listed)
      : [violation(ask, [], `200 with a finding, since it is listed${asIn(listed.from)}`, answer.status)],
  );

const asListed = (detail: Seen, listed: Seen): readonly Case[] => {
  const differing = Object.keys(Finding.type.props).filter(
    (field) => !isJsonEqual(detail.value[field], listed.value[field]),
  );
  if (differing.length === 0) return [null];
  return differing.map((field) =>
    violation(
      detail.from,
      [field],
      `${JSON.stringify(listed.value[field])}${asIn(listed.from)}`,
      detail.value[field],
    ),
  );
};

/** How many pull requests each finding has, by its id. */
const countsOf = (prs: readonly Seen[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { value } of prs) {
    const id = textIn(value, 'id');
    if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
};

const prCounts = (judge: (count: number | null, listed: number, got: unknown, detail: Seen) => Case) =>
  ((reading) =>
    pipe(
      TE.Do,
      TE.apS('sample', sampleDetails(reading)),
      TE.apS('prs', allOf(reading, 'prs')),
      TE.map(({ sample, prs }) => {
        const counts = countsOf(prs.rows);
        return verdictOf(
          'a finding',
          beside(sample, (detail) => [
            judge(
              wholeIn(detail.value, 'prCount'),
              counts.get(textIn(detail.value, 'id') ?? '') ?? 0,
              detail.value.prCount,
              detail,
            ),
          ]),
        );
      }),
    )) satisfies Check['check'];

/** One finding (contract, sections 2.2, 4.3 and 7). */
export const detailChecks: readonly Check[] = [
  {
    id: 'finding.as-listed',
    section: '2.2, 4.3',
    level: 'must',
    statement: 'finding: each one that is listed is found under its id, with the fields of the list',
    compares: true,
    check: (reading) =>
      pipe(
        sampleDetails(reading),
        TE.map((sample) => verdictOf('a finding', beside(sample, asListed))),
      ),
  },
  {
    id: 'finding.pr-count-bounds',
    section: '2.2, 1',
    level: 'must',
    statement:
      'finding: prCount is not negative, and not more than the pull requests that listPrs has for it',
    compares: true,
    check: prCounts((count, listed, got, { from }) =>
      count !== null && count >= 0 && count <= listed
        ? null
        : violation(from, ['prCount'], `from 0 to ${listed}`, got),
    ),
  },
  {
    id: 'finding.pr-count',
    section: '2.2',
    level: 'may',
    statement: 'finding: prCount counts its pull requests, whatever their state',
    compares: true,
    check: prCounts((count, listed, got, { from }) =>
      count === listed ? null : violation(from, ['prCount'], String(listed), got),
    ),
  },
  {
    id: 'finding.unknown',
    section: '4.3, 7',
    level: 'must',
    statement: 'finding: an id that does not exist is answered 404 {"error":"finding not found"}',
    compares: false,
    check: (reading) =>
      pipe(
        reading.ask(findingRequest(unknownFindingId, own(reading))),
        TE.map((exchange) => verdictOf('', judgeError(exchange, 404, FindingNotFoundBody))),
      ),
  },
  {
    id: 'finding.unknown-by-token',
    section: '4.3, 7',
    level: 'must',
    statement: 'finding: asked with a token, an id that does not exist is answered the same',
    compares: false,
    check: (reading) =>
      pipe(
        reading.ask(findingRequest(unknownFindingId, withToken(reading.credentials.token))),
        TE.map((exchange) => verdictOf('', judgeError(exchange, 404, FindingNotFoundBody))),
      ),
  },
  {
    id: 'finding.unknown-to-strangers',
    section: '5 rule 4',
    level: 'must',
    statement: 'finding: without credentials, an id that does not exist is answered 401, not 404',
    compares: false,
    check: (reading) =>
      pipe(
        reading.ask(findingRequest(unknownFindingId, anonymous)),
        TE.map((exchange) => verdictOf('', judgeError(exchange, 401, UnauthorizedBody))),
      ),
  },
];
