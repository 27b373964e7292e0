import { canStandInPath, encodeUrlComponent } from '../../../client/outgoing-request.js';
import { FindingNotFoundBody, UnauthorizedBody } from '../../../contract/error-bodies.js';
import { Finding } from '../../../contract/finding.js';
import { asIn, because, type Case, type Check, fieldIs, info, isError, must, violation } from '../check.js';
import { rowsOfRepo, sampledList } from '../list-needs.js';
import { both, derived, eachOf, mapped, type Need, optional, split } from '../need.js';
import {
  type Exchange,
  findingRequest,
  response,
  responses,
  sampled,
  unknownFindingId,
} from '../requests.js';
import { idsIn, integerField, isRow, type Located, stringField } from '../rows.js';
import { type Auth, bySession, byToken, noCredentials } from '../test-credentials.js';

/** Ids that are not quite this one: in other letter case, cut short, continued, or with a space. */
export const inexactIds = (id: string): readonly string[] =>
  [...new Set([id.toUpperCase(), id.toLowerCase(), id.slice(0, -1), `${id}0`, `${id} `])].filter(
    (each) => each.trim() !== '' && each !== id,
  );

/** Ids of unusual forms, which no tenant has: a number, other letters and a quote, and many characters. */
export const oddIds: readonly string[] = ['-1', "ö'", 'triage-api-verify'.repeat(20)];

/** The number of findings whose details are fetched. */
const maxDetails = 8;

/** A finding of the list, and the response to getFinding for its id. */
type SampledDetail = Readonly<{ listed: Located; exchange: Exchange }>;

type ListedFinding = Readonly<{ id: string; listed: Located }>;

/**
 * Some findings of the list: those whose id needs escaping, one with and one without pull requests, the first
 * and the last, and others in between. If the list of pull requests is unusable, none counts as having any.
 */
const sampledFindings: Need<readonly ListedFinding[]> = mapped(
  both(
    sampledList('findings'),
    optional(
      mapped(sampledList('prs'), ({ rows }) => new Set(idsIn(rows))),
      new Set<string>(),
    ),
  ),
  ([{ rows }, withPrs]) => {
    const findings = rows.flatMap((listed): readonly ListedFinding[] => {
      const id = stringField(listed.value, 'id');
      return id === null || !canStandInPath(id) ? [] : [{ id, listed }];
    });
    const preferred = [
      ...findings.filter(({ id }) => encodeUrlComponent(id) !== id).slice(0, 2),
      ...findings.filter(({ id }) => withPrs.has(id)).slice(0, 1),
      ...findings.filter(({ id }) => !withPrs.has(id)).slice(0, 1),
      ...findings.slice(0, 1),
      ...findings.slice(-1),
      ...findings.filter((_, index) => index % Math.ceil(findings.length / maxDetails) === 1),
      ...findings,
    ];
    return Array.from(new Map(preferred.map((each) => [each.id, each])).values()).slice(0, maxDetails);
  },
);

/** The sampled findings, each as listed and as getFinding returns it. */
const sampledDetails: Need<SampledDetail> = derived(
  split(sampledFindings, (findings) => findings),
  ({ id, listed }) => mapped(response(findingRequest(id)), (exchange) => ({ listed, exchange })),
);

/** The bodies of their details, each judged on its own. Responses other than 200 are left out. */
export const detailValues: Need<Located<unknown>> = split(
  sampled(sampledFindings, (findings) => findings.map(({ id }) => findingRequest(id))),
  ({ request, response: { status }, body }) => (status === 200 ? [{ value: body, request, path: [] }] : []),
);

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

/** The response for an id that no finding has, as far as the list was looked at. */
type InexactDetail = Readonly<{ id: string; exchange: Exchange; isListWhole: boolean }>;

/** Ids that are not quite that of a finding: in other letter case, cut short, continued, or with a space. */
const inexactDetails = (auth: Auth): Need<InexactDetail> =>
  derived(sampledList('findings'), ({ rows, isWhole }) => {
    const ids = new Set(idsIn(rows));
    const [id] = [...ids].filter((each) => each.length > 1 && canStandInPath(each)).sort(plainFirst);
    const others = id === undefined ? [] : inexactIds(id).filter((each) => !ids.has(each));
    return eachOf(
      others.map((each) =>
        mapped(response(findingRequest(each, auth)), (exchange) => ({
          id: each,
          exchange,
          isListWhole: isWhole,
        })),
      ),
    );
  });

/** A finding with this very id may be on a page of a large list that was not fetched. */
const mayBeListed = ({ id, exchange: { response, body }, isListWhole }: InexactDetail): boolean =>
  !isListWhole && response.status === 200 && isRow(body) && body.id === id;

/** Ids that need no escaping in a path come first: others may fail for other reasons. */
const plainFirst = (left: string, right: string): number =>
  Number(right === encodeUrlComponent(right)) - Number(left === encodeUrlComponent(left));

const idIsExact = (suffix: string, credential: string, auth: Auth): Check =>
  because(
    'Section 2: identifiers are opaque strings. An id that differs from every other id in a character is the id of ' +
      'no finding, and section 7 answers it with a 404.',
    must(
      `finding.${suffix}`,
      '2, 4.3, 7',
      `finding: with a ${credential}, an id that is not exactly that of a finding is answered 404 {"error":"finding not found"}`,
      inexactDetails(auth),
      (detail) => (mayBeListed(detail) ? [] : isError(detail.exchange, 404, FindingNotFoundBody)),
      'a finding',
    ),
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
  because(
    'Section 2: identifiers are opaque strings. The contract knows no id that is malformed, only ids that do not ' +
      'exist.',
    must(
      'finding.unknown-odd',
      '2, 4.3, 7',
      'finding: an id of any form that does not exist is answered 404 {"error":"finding not found"}',
      responses(oddIds.map((id) => findingRequest(id))),
      (exchange) => isError(exchange, 404, FindingNotFoundBody),
    ),
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
  idIsExact('id-exact', 'session', bySession),
  idIsExact('id-exact-by-token', 'token', byToken),
];
