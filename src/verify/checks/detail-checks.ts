import { FindingNotFoundBody, UnauthorizedBody } from '../../contract/error-bodies.js';
import { Finding } from '../../contract/finding.js';
import { asIn, fieldIs, isError, violation } from '../cases.js';
import { type Check, info, must } from '../check.js';
import { integerField, isRow, type Located, stringField } from '../json-rows.js';
import { derived, mapped, type Need, response, rowsOfRepo } from '../needs.js';
import { findingRequest, unknownFindingId } from '../requests.js';
import { byToken, noCredentials } from '../test-credentials.js';
import type { Case } from '../verdict.js';
import { type SampledDetail, sampledDetails } from './sampled-details.js';

/** Judges the detail in a response; any other response than the listed finding is a violation. */
const onDetail = (
  { listed, exchange }: SampledDetail,
  judge: (detail: Located) => Case | readonly Case[],
): Case | readonly Case[] => {
  const { request, response, body } = exchange;
  return response.status === 200 && isRow(body)
    ? judge({ value: body, request, path: [] })
    : violation(exchange, `200 with the listed finding${asIn(listed.request)}`, response.status);
};

/** Each sampled detail, and the number of pull requests that listPrs has for it. */
const detailsAndPrCounts: Need<Readonly<{ sample: SampledDetail; count: number }>> = derived(
  sampledDetails,
  (sample) =>
    mapped(rowsOfRepo('prs', stringField(sample.listed.value, 'repoId') ?? ''), ({ rows }) => ({
      sample,
      count: rows.filter(({ value }) => value.id === sample.listed.value.id).length,
    })),
);

/** One finding (contract, sections 2.2, 4.3 and 7). */
export const detailChecks: readonly Check[] = [
  must(
    'finding.as-listed',
    '2.2, 4.3',
    'finding: each listed finding is found by its id, with the same fields as in the list',
    sampledDetails,
    (sample) =>
      onDetail(sample, (detail) =>
        Object.keys(Finding.type.props).map((field) =>
          fieldIs(detail, field, sample.listed.value[field], asIn(sample.listed.request)),
        ),
      ),
    'a finding',
  ),
  must(
    'finding.pr-count-bounds',
    '2.2, 1',
    'finding: prCount is not negative, and not more than the number of its pull requests in listPrs',
    detailsAndPrCounts,
    ({ sample, count }) =>
      onDetail(sample, (detail) => {
        const prCount = integerField(detail.value, 'prCount');
        return prCount !== null && prCount >= 0 && prCount <= count
          ? null
          : violation(detail, `from 0 to ${count}`, detail.value.prCount, 'prCount');
      }),
    'a finding',
  ),
  info(
    'finding.pr-count',
    '2.2',
    'finding: prCount counts its pull requests, whatever their state',
    detailsAndPrCounts,
    ({ sample, count }) => onDetail(sample, (detail) => fieldIs(detail, 'prCount', count)),
    'a finding',
  ),
  must(
    'finding.unknown',
    '4.3, 7',
    'finding: an id that does not exist is answered 404 {"error":"finding not found"}',
    response(findingRequest(unknownFindingId)),
    (exchange) => isError(exchange, 404, FindingNotFoundBody),
  ),
  must(
    'finding.unknown-by-token',
    '4.3, 7',
    'finding: with a token, an id that does not exist is answered the same',
    response(findingRequest(unknownFindingId, byToken)),
    (exchange) => isError(exchange, 404, FindingNotFoundBody),
  ),
  must(
    'finding.unknown-to-strangers',
    '5 rule 4',
    'finding: without credentials, an id that does not exist is answered 401, not 404',
    response(findingRequest(unknownFindingId, noCredentials)),
    (exchange) => isError(exchange, 401, UnauthorizedBody),
  ),
];
