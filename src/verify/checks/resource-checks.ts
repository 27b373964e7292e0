import type * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { canStandInPath, encodeUrlComponent } from '../../client/outgoing-request.js';
import { textOf } from '../../common/json.js';
import { FindingNotFoundBody, UnauthorizedBody } from '../../contract/error-bodies.js';
import { Finding, FindingDetail } from '../../contract/finding.js';
import { LenientRepo } from '../../contract/lenient.js';
import { operations } from '../../contract/operations.js';
import { maxLimit } from '../../contract/page-and-limit.js';
import { Pr, PrRepo } from '../../contract/pr.js';
import { LastScan } from '../../contract/repo.js';
import {
  agrees,
  asIn,
  type Case,
  type Cases,
  type Check,
  checksOf,
  countedIn,
  type Examination,
  fieldIs,
  hasOnlyFields,
  inside,
  isError,
  judgeEach,
  judgeValues,
  type Origin,
  onPage,
  violation,
  wrongField,
} from '../check.js';
import {
  type Exchange,
  filterNames,
  filtersBy,
  findingRequest,
  type ListName,
  listNames,
  listRequest,
  lists,
  requestTo,
  unknownFindingId,
  unknownRepoId,
} from '../exchange.js';
import { allThatFit, orElse } from '../not-exercised.js';
import { idsIn, integerField, isRow, type Located, rowIn, rowsIn } from '../rows.js';
import type { Server } from '../server.js';
import { type Auth, authKind, bySession, byToken, noCredentials, partOf } from '../test-credentials.js';

const isPage = (exchange: Exchange) => onPage(exchange, () => null);

/** The body of each list, and the parameters that it accepts (contract, sections 2.4, 4.2 and 4.4). */
const bodyChecks: readonly Check[] = [
  checksOf('repos').must('array (2.4, 4.1): the body is a bare array')(
    judgeEach([requestTo(operations.listConnectedRepos)], (exchange) => {
      const { body, response } = exchange;
      if (response.status !== 200) return violation(exchange, '200 with an array', response.status);
      return Array.isArray(body) ? null : violation(exchange, '200 with an array', body);
    }),
  ),
  ...listNames.flatMap((name) => {
    const { must } = checksOf(name);
    const { section } = lists[name];
    const tried = [{ repoId: unknownRepoId }, ...filtersBy(name), { page: 1, limit: maxLimit }, { limit: 1 }];
    const words = filterNames(name).replaceAll(', ', ', every ');
    return [
      must(`page (${section} rule 1): the body is a page with items`)(judgeEach([listRequest(name)], isPage)),
      must(`parameters (${section}): ${words}, page or limit up to ${maxLimit} are accepted`)(
        judgeEach(
          tried.map((query) => listRequest(name, query)),
          isPage,
        ),
      ),
    ];
  }),
];

/** The number of findings whose details are fetched. */
const maxDetails = 8;

/** A finding of the list, and the response to getFinding for its id. */
type SampledDetail = Readonly<{ listed: Located; exchange: Exchange }>;

/**
 * Some findings of the list: those whose id needs escaping, one with and one without pull requests, the first
 * and the last, and others in between. If the list of pull requests is unusable, none counts as having any.
 */
const sampledFindings = async (
  server: Server,
): Promise<readonly Readonly<{ id: string; listed: Located }>[]> => {
  const { rows } = await server.sample('findings');
  const prs = await orElse(server.sample('prs'), null);
  const withPrs = new Set(idsIn(prs?.rows ?? []));
  const findings = rows.flatMap((listed) => {
    const id = textOf(listed.value, 'id');
    return id === undefined || !canStandInPath(id) ? [] : [{ id, listed }];
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
};

/** The sampled findings, each as listed and as getFinding returns it. */
const sampledDetails = async (server: Server): Promise<readonly SampledDetail[]> =>
  server.withResponses(await sampledFindings(server), ({ id }) => findingRequest(id));

/** How a value can fail its codec: the kind, and the id, the mistake and the words of its check. */
const failures = [
  ['missing', 'fields', '; missing-field', 'every field of the contract is present, including nullable ones'],
  ['type', 'types', '', 'every field has the type that the contract gives it'],
  ['null', 'nulls', '; wrong-null', 'null occurs only where the contract allows it or leaves it open'],
  ['timestamp', 'timestamps', '; timestamp', 'timestamps are ISO 8601, UTC, with exactly three decimals'],
  ['enum', 'words', '; unknown-word', 'severity and status have a value that the contract lists'],
] as const;

const mismatchOf = (expected: string, got: unknown): (typeof failures)[number][0] => {
  if (got === undefined) return 'missing';
  if (got === null) return 'null';
  if (typeof got !== 'string') return 'type';
  if (expected.startsWith('timestamp')) return 'timestamp';
  return expected.startsWith('one of') ? 'enum' : 'type';
};

/** A resource of the contract, and where it is found. */
type Resource = Readonly<{
  id: string;
  section: string;
  prerequisite: string;
  codec: t.Mixed & Readonly<{ type: Readonly<{ props: t.Props }> }>;
  /** A field whose value is an object, and the fields of that. */
  inner?: readonly [field: string, props: t.Props];
  judged: (judge: (value: Located<unknown>) => Cases) => Examination;
}>;

const judgeListed = (name: ListName) => (judge: (value: Located<unknown>) => Cases) =>
  judgeValues(async (server) => (await server.sample(name)).pages.flatMap(({ items }) => items), judge);

/** Judges the bodies of the sampled details. Responses other than 200 are left out. */
const judgeDetails = (judge: (value: Located<unknown>) => Cases) => async (server: Server) =>
  (await sampledDetails(server)).flatMap(({ exchange: { request, response, body } }) =>
    response.status === 200 ? judge({ value: body, request, path: [] }) : [],
  );

/** Judges the values that are objects. */
const onRow =
  (judge: (row: Located) => Cases) =>
  (value: Located<unknown>): Cases =>
    rowsIn([value]).flatMap(judge);

const resources: readonly Resource[] = [
  {
    id: 'repos',
    section: '2.1',
    prerequisite: 'a connected repository',
    // The scan of a repository that was never scanned is left open.
    codec: LenientRepo,
    inner: ['lastScan', LastScan.type.props],
    judged: (judge) => judgeValues((server) => server.repoValues(), judge),
  },
  {
    id: 'findings',
    section: '2.2',
    prerequisite: 'a finding',
    codec: Finding,
    judged: judgeListed('findings'),
  },
  { id: 'finding', section: '2.2', prerequisite: 'a finding', codec: FindingDetail, judged: judgeDetails },
  {
    id: 'prs',
    section: '2.3',
    prerequisite: 'a pull request',
    codec: Pr,
    inner: ['repo', PrRepo.type.props],
    judged: judgeListed('prs'),
  },
];

const fieldChecks = ({ id, section, prerequisite, codec, inner, judged }: Resource): readonly Check[] => {
  const { must, info } = checksOf(id, prerequisite);
  // prCount in a list has a check of its own.
  const { props } = (codec === Finding ? FindingDetail : codec).type;
  const [innerField, innerProps] = inner ?? ['', {}];
  return [
    ...failures
      .filter(([kind]) => kind !== 'enum' || Object.hasOwn(props, 'severity'))
      .map(([kind, part, mistake, words]) =>
        must(`${part} (${kind === 'timestamp' ? '2' : section}${mistake}): ${words}`)(
          judged((located) => {
            const decoded = codec.decode(located.value);
            const found = (E.isLeft(decoded) ? decoded.left : []).flatMap(({ context, value }) => {
              const expected = context.at(-1)?.type.name ?? codec.name;
              const path = context.slice(1).map(({ key }) => key);
              return mismatchOf(expected, value) === kind
                ? [violation(inside(located, ...path), expected, value)]
                : [];
            });
            return found.length === 0 ? null : found;
          }),
        ),
      ),
    // Additional fields break no client, and the contract neither allows nor forbids them.
    info(`no-further-fields (${section}): there are no fields that the contract does not have`)(
      judged(
        onRow((row) => [
          ...hasOnlyFields(row, Object.keys(props)),
          ...rowIn(row, innerField).flatMap((object) => hasOnlyFields(object, Object.keys(innerProps))),
        ]),
      ),
    ),
  ];
};

/** The lists and the fields of each resource (contract, section 2). */
export const resourceChecks: readonly Check[] = [
  ...bodyChecks,
  ...resources.flatMap(fieldChecks),
  checksOf('findings', 'a finding').must(
    'no-pr-count (2.2; list-pr-count): items of the list have no prCount; only the detail has it',
  )(
    judgeListed('findings')(
      onRow((row) =>
        Object.hasOwn(row.value, 'prCount') ? wrongField(row, 'prCount', 'no such field') : null,
      ),
    ),
  ),
];

const finding = checksOf('finding', 'a finding');

/** Judges the detail in a response; any other response than the listed finding is a violation. */
const onDetail = ({ listed, exchange }: SampledDetail, judge: (detail: Located) => Cases): Cases => {
  const { request, response, body } = exchange;
  return response.status === 200 && isRow(body)
    ? judge({ value: body, request, path: [] })
    : violation(exchange, '200 with the listed finding', response.status, asIn(listed.request));
};

/** Judges each sampled detail and the number of pull requests that listPrs has for it. */
const judgePrCounts =
  (judge: (detail: Located, count: number, why: Origin) => Cases) =>
  async (server: Server): Promise<Cases> => {
    const judged = (await sampledDetails(server)).map(async (sample) => {
      const { id } = sample.listed.value;
      const repoId = textOf(sample.listed.value, 'repoId') ?? '';
      const { rows, first } = await server.rowsOfRepo('prs', repoId);
      const count = rows.filter(({ value }) => value.id === id).length;
      return [onDetail(sample, (detail) => judge(detail, count, countedIn(first)))].flat();
    });
    return (await allThatFit(judged)).flat();
  };

/** Ids that are not quite this one: in other letter case, cut short, continued, or with a space. */
export const inexactIds = (id: string): readonly string[] =>
  [...new Set([id.toUpperCase(), id.toLowerCase(), id.slice(0, -1), `${id}0`, `${id} `])].filter(
    (each) => each.trim() !== '' && each !== id,
  );

/** Ids of unusual forms, which no tenant has: a number, other letters and a quote, and many characters. */
export const oddIds: readonly string[] = ['-1', "ö'", 'triage-api-verify'.repeat(20)];

/** Ids that need no escaping in a path come first: others may fail for other reasons. */
const plainFirst = (left: string, right: string): number =>
  Number(right === encodeUrlComponent(right)) - Number(left === encodeUrlComponent(left));

const isNotFound = (exchange: Exchange): readonly Case[] => isError(exchange, 404, FindingNotFoundBody);

/** Ids that are not quite that of a finding: the list, as far as it was looked at, does not have them. */
const idIsExact = (auth: Auth): Check =>
  finding.must(
    `id-exact${partOf(auth)} (2, 4.3, 7): with a ${authKind(auth)}, an id that is not exactly that of a finding is answered 404 {"error":"finding not found"}`,
    'Section 2: identifiers are opaque strings. An id that differs from every other id in a character is the id of ' +
      'no finding, and section 7 answers it with a 404.',
  )(async (server) => {
    const ids = new Set(idsIn((await server.sample('findings')).rows));
    const [known] = [...ids].filter((each) => each.length > 1 && canStandInPath(each)).sort(plainFirst);
    const others = known === undefined ? [] : inexactIds(known).filter((each) => !ids.has(each));
    const unlisted = await server.withResponses(
      others.map((id) => ({ id })),
      ({ id }) => findingRequest(id, auth),
    );
    return unlisted.flatMap(({ id, exchange }) => {
      const { response, body } = exchange;
      // A finding with this very id may be on no page that was fetched, or that there is.
      const hasThisId = response.status === 200 && isRow(body) && body.id === id;
      return hasThisId ? [] : isNotFound(exchange);
    });
  });

/** One finding (contract, sections 2.2, 4.3 and 7). */
export const detailChecks: readonly Check[] = [
  finding.must(
    'as-listed (2.2, 4.3): each listed finding is found by its id, with the same fields as in the list',
  )(async (server) =>
    (await sampledDetails(server)).flatMap((sample) =>
      onDetail(sample, (detail) => agrees(detail, sample.listed, Object.keys(Finding.type.props))),
    ),
  ),
  finding.must(
    'pr-count-bounds (2.2, 2.3): prCount is not negative, and not more than the number of its pull requests in listPrs',
  )(
    judgePrCounts((detail, count, why) => {
      const prCount = integerField(detail.value, 'prCount');
      return prCount !== null && prCount >= 0 && prCount <= count
        ? null
        : wrongField(detail, 'prCount', `from 0 to ${count}`, why);
    }),
  ),
  finding.info('pr-count (2.2): prCount counts its pull requests, whatever their state')(
    judgePrCounts((detail, count, why) => fieldIs(detail, 'prCount', count, why)),
  ),
  finding.must('unknown (4.3, 7): an id that does not exist is answered 404 {"error":"finding not found"}')(
    judgeEach([findingRequest(unknownFindingId)], isNotFound),
  ),
  finding.must(
    'unknown-odd (2, 4.3, 7): an id of any form that does not exist is answered 404 {"error":"finding not found"}',
    'Section 2: identifiers are opaque strings. The contract knows no id that is malformed, only ids that do not ' +
      'exist.',
  )(
    judgeEach(
      oddIds.map((id) => findingRequest(id)),
      isNotFound,
    ),
  ),
  finding.must('unknown-by-token (4.3, 7): with a token, an id that does not exist is answered the same')(
    judgeEach([findingRequest(unknownFindingId, byToken)], isNotFound),
  ),
  finding.must(
    'unknown-to-strangers (5 rule 4): without credentials, an id that does not exist is answered 401, not 404',
  )(
    judgeEach([findingRequest(unknownFindingId, noCredentials)], (exchange) =>
      isError(exchange, 401, UnauthorizedBody),
    ),
  ),
  idIsExact(bySession),
  idIsExact(byToken),
];
