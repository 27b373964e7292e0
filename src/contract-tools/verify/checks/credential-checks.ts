import { canonicalJson } from '../../../common/json.js';
import { FindingNotFoundBody, UnauthorizedBody } from '../../../contract/error-bodies.js';
import type { AnyOperation, CredentialKind } from '../../../contract/operations.js';
import { maxLimit } from '../../../contract/page-and-limit.js';
import {
  asIn,
  type Case,
  type Check,
  checkAt,
  isEmptyPage,
  isError,
  isOk,
  isSame,
  must,
  violation,
} from '../check.js';
import { list, sampledList } from '../lists.js';
import { both, derived, eachOf, mapped, type Need } from '../need.js';
import {
  allOperations,
  type Exchange,
  findingRequest,
  type ListName,
  listNames,
  listOperations,
  listRequest,
  listSection,
  type QueryValues,
  repos,
  requestTo,
  response,
  responses,
  sampled,
  unknownFindingId,
  unknownRepoId,
} from '../requests.js';
import { contractFields, contractPart, idsIn, type Located } from '../rows.js';
import { type Auth, bySession, byToken, noCredentials, type SecretName } from '../test-credentials.js';
import { selectivePrFilter } from './filter-checks.js';

/**
 * A request that valid credentials get a 200 for. Where the path needs an id, that of any finding will do.
 */
const validRequest = (operation: AnyOperation, auth: Auth): Need<Exchange> =>
  'id' in operation.pathParameters.type.props
    ? sampled(sampledList('findings'), ({ rows }) =>
        idsIn(rows)
          .slice(0, 1)
          .map((id) => requestTo(operation, { id, auth })),
      )
    : response(requestTo(operation, { auth }));

const isUnauthorized = (exchange: Exchange): readonly Case[] => isError(exchange, 401, UnauthorizedBody);

const byCookie = (session: SecretName): Auth => ({ session, bearer: null });
const byBearer = (bearer: SecretName): Auth => ({ session: null, bearer });

/** The credentials that every operation is tried with, by the last part of the check's id, and in words. */
const combinations: readonly (readonly [suffix: string, words: string, auth: Auth])[] = [
  ['none', 'no credentials', noCredentials],
  ['invalid-cookie', 'an invalid cookie', byCookie('invalidSession')],
  ['invalid-bearer', 'an invalid bearer token', byBearer('invalidToken')],
  [
    'both-invalid',
    'an invalid cookie and an invalid bearer token',
    { session: 'invalidSession', bearer: 'invalidToken' },
  ],
  ['expired-cookie', 'an expired cookie', byCookie('expiredSession')],
  ['expired-bearer', 'an expired bearer token', byBearer('expiredToken')],
  ['cookie', 'a valid cookie', bySession],
  ['bearer', 'a valid bearer token', byToken],
  ['both', 'a valid cookie and a valid bearer token', { session: 'session', bearer: 'token' }],
  [
    'cookie-and-invalid-bearer',
    'a valid cookie and an invalid bearer token',
    { session: 'session', bearer: 'invalidToken' },
  ],
  [
    'bearer-and-invalid-cookie',
    'an invalid cookie and a valid bearer token',
    { session: 'invalidSession', bearer: 'token' },
  ],
];

const isValid = (auth: Auth, kind: CredentialKind): boolean =>
  auth[kind] === 'session' || auth[kind] === 'token';

/** Which credentials each operation accepts (contract, sections 5 and 7). */
export const credentialChecks: readonly Check[] = allOperations.flatMap((operation) =>
  combinations.map(([suffix, words, auth]) => {
    const { id, accepts } = operation;
    const isAccepted = accepts.some((kind) => isValid(auth, kind));
    // If both kinds are accepted and one of two credentials is invalid, the contract does not say which one
    // counts.
    const isOpen = isAccepted && accepts.some((kind) => auth[kind] !== null && !isValid(auth, kind));
    return checkAt(isOpen ? 'info' : 'must')(
      `credentials.${id}.${suffix}`,
      isAccepted ? '5' : '5 rule 4, 7',
      `${id}: answers ${isAccepted ? '200' : '401 {"error":"Unauthorized"}'} to ${words}`,
    )(validRequest(operation, auth), isAccepted ? isOk : isUnauthorized, 'a finding');
  }),
);

/**
 * Credentials that get the same response as the session, from operations that do or do not accept a bearer
 * token: the last part of the id, the section, the statement.
 */
const agreements: readonly (readonly [CredentialKind[], string, string, string, Auth])[] = [
  [['session', 'bearer'], 'same-scope', '5 rule 2', 'a token sees what a session sees', byToken],
  [
    ['session'],
    'authorization-not-read',
    '5 rule 3',
    'an invalid Authorization header next to a valid cookie changes nothing',
    { session: 'session', bearer: 'invalidToken' },
  ],
  [
    ['session'],
    'other-scheme-not-read',
    '5 rule 3',
    'an Authorization header of another scheme next to a valid cookie changes nothing',
    { ...bySession, other: { header: 'Authorization', prefix: 'Basic ', secret: 'invalidToken' } },
  ],
  [
    ['session'],
    'others-token-not-read',
    '5 rule 3',
    "another tenant's token next to a valid cookie changes nothing",
    { session: 'session', bearer: 'otherToken' },
  ],
];

const isSameResponse = ([left, right]: readonly [Exchange, Exchange]): Case => {
  const [{ status }, { status: got }] = [left.response, right.response];
  return status === got
    ? isSame(right, contractPart(right.body), contractPart(left.body), asIn(left.request))
    : violation(right, `status ${status}`, got, asIn(left.request));
};

/** Which credentials get the same response (contract, section 5, rules 2 and 3). */
export const agreementChecks: readonly Check[] = [
  ...allOperations.flatMap((operation) =>
    agreements
      .filter(([accepted]) => accepted.includes('bearer') === operation.accepts.includes('bearer'))
      .map(([, suffix, section, statement, auth]) =>
        must(`credentials.${operation.id}.${suffix}`, section, `${operation.id}: ${statement}`)(
          both(validRequest(operation, bySession), validRequest(operation, auth)),
          isSameResponse,
          'a finding',
        ),
      ),
  ),
  must(
    'credentials.listPrs.same-scope-filtered',
    '5 rule 2, 4.4',
    'listPrs: with repoId, status, page and limit, too, a token sees what a session sees',
  )(
    derived(sampledList('prs'), (all) => {
      const filter = selectivePrFilter(all);
      const query = { ...filter, page: 1, limit: 2 };
      const sentBy = (auth: Auth) => response(listRequest('prs', query, auth));
      return filter === undefined
        ? eachOf<readonly [Exchange, Exchange]>([])
        : both(sentBy(bySession), sentBy(byToken));
    }),
    isSameResponse,
    'a repository with pull requests of different status, and another one',
  ),
];

const otherValue =
  'The value is not one that was issued, so it is invalid. A server that accepts it compares only a part of the ' +
  'value, or ignores letter case, and makes guessing easier.';

const otherKind =
  'A session is sent as a cookie and a token as Authorization: Bearer. Section 5 lists nothing else, and a value ' +
  'of one kind is no credential of the other.';

const noOtherSurface =
  'Section 5, rule 5: there is no other API-key surface. Tokens count in Authorization: Bearer only (rule 2), and ' +
  'a header that is not listed is no credential.';

/** A token in a header of its own or with another prefix. */
const inHeader = (header: string, prefix = ''): Auth => ({
  ...noCredentials,
  other: { header, prefix, secret: 'token' },
});

/**
 * Credentials that resemble valid ones: the last part of the id, the section, what they are, why they are
 * invalid. Some are tried only with operations that accept this kind.
 */
const falseCredentials: readonly (readonly [string, string, string, string, Auth, CredentialKind?])[] = [
  ...(
    [
      ['shortened', 'that lacks the end of its value'],
      ['lengthened', 'with another character at its end'],
      ['recased', 'in other letter case'],
    ] as const
  ).flatMap(([how, words]) => [
    [
      `${how}-cookie`,
      '5 rule 4, 7',
      `a cookie ${words}`,
      otherValue,
      byCookie(`${how}Session`),
      'session',
    ] as const,
    [
      `${how}-bearer`,
      '5 rule 4, 7',
      `a bearer token ${words}`,
      otherValue,
      byBearer(`${how}Token`),
      'bearer',
    ] as const,
  ]),
  [
    'token-as-cookie',
    '5 rules 1 and 2',
    'an API token as the value of the cookie',
    otherKind,
    byCookie('token'),
  ],
  [
    'session-as-bearer',
    '5 rules 1 and 2',
    'the value of a session as a bearer token',
    otherKind,
    byBearer('session'),
  ],
  ['x-api-key', '5 rule 5', 'a token in X-Api-Key', noOtherSurface, inHeader('X-Api-Key')],
  ['x-auth-token', '5 rule 5', 'a token in X-Auth-Token', noOtherSurface, inHeader('X-Auth-Token'), 'bearer'],
  [
    'authorization-token',
    '5 rule 2',
    'a token as "Authorization: Token …"',
    noOtherSurface,
    inHeader('Authorization', 'Token '),
    'bearer',
  ],
  [
    'authorization-other-scheme',
    '5 rule 2',
    'a token as "Authorization: NotBearer …"',
    noOtherSurface,
    inHeader('Authorization', 'NotBearer '),
    'bearer',
  ],
  [
    'authorization-bare',
    '5 rule 2',
    'a token in Authorization without "Bearer"',
    noOtherSurface,
    inHeader('Authorization'),
    'bearer',
  ],
];

/** Credentials that resemble valid ones are invalid (contract, section 5). */
export const falseCredentialChecks: readonly Check[] = allOperations.flatMap((operation) =>
  falseCredentials
    .filter(([, , , , , kind]) => kind === undefined || operation.accepts.includes(kind))
    .map(([suffix, section, words, reasoning, auth]) =>
      must(
        `credentials.${operation.id}.${suffix}`,
        section,
        `${operation.id}: answers 401 {"error":"Unauthorized"} to ${words}`,
      )(validRequest(operation, auth), isUnauthorized, 'a finding', reasoning),
    ),
);

/** Parameters that a server may refuse, and one that finds nothing; what they are in words. */
const doubtfulQueries: Readonly<Record<ListName, readonly [words: string, ...(readonly QueryValues[])]>> = {
  findings: [
    'page, limit, repoId, severity or status',
    { page: '0' },
    { limit: 'abc' },
    { repoId: unknownRepoId, limit: 1000 },
    { severity: 'moderate' },
    { status: 'Pending' },
  ],
  prs: [
    'page, limit, repoId or status',
    { page: '0' },
    { limit: 'abc' },
    { repoId: unknownRepoId, limit: 1000 },
    { status: 'cancelled' },
  ],
};

/** For a 401 only credentials matter, never parameters (contract, section 5, rule 4, and section 7). */
export const parameterChecks: readonly Check[] = listNames.flatMap((name) => {
  const [words, ...queries] = doubtfulQueries[name];
  const { id } = listOperations[name];
  return [
    must(
      `credentials.${id}.none-with-parameters`,
      '5 rule 4, 7',
      `${id}: answers 401 {"error":"Unauthorized"} to no credentials, whatever ${words} says`,
    )(
      responses(queries.map((query) => listRequest(name, query, noCredentials))),
      isUnauthorized,
      'data to check',
      'Section 5, rule 4: missing credentials on any endpoint produce a 401. It makes no exception for requests ' +
        'that are wrong in another way, too.',
    ),
    must(
      `credentials.${id}.valid-with-parameters`,
      '7',
      `${id}: does not answer 401 to a valid cookie, whatever ${words} says`,
    )(
      responses(queries.map((query) => listRequest(name, query))),
      (exchange) =>
        exchange.response.status === 401 ? violation(exchange, 'another status than 401', 401) : null,
      'data to check',
      'Section 7: 401 means that credentials are missing, expired or invalid. How wrong parameters are refused is left ' +
        'open, but a client that gets a 401 sends its user to the login.',
    ),
  ];
});

/** The rows of the tenant, and those of the second one. */
type BothTenants = Readonly<{ own: readonly Located[]; others: readonly Located[] }>;

const ofBoth = (
  rows: (auth: Auth) => Need<readonly Located[]>,
  auth = bySession,
  otherAuth = byCookie('otherSession'),
): Need<BothTenants> => mapped(both(rows(otherAuth), rows(auth)), ([others, own]) => ({ own, others }));

/** For what holds of any part of the lists. */
const sampledRows = (name: ListName) => (auth: Auth) =>
  mapped(sampledList(name, { auth }), ({ rows }) => rows);

const comparable = ({ value }: Located): string => canonicalJson(contractFields(value));

/**
 * No row is in both lists. Ids may be the same in two tenants, since the contract does not exclude it; rows
 * are the same only if all fields are.
 */
const haveNoCommonRow = (rows: readonly Located[], others: readonly Located[]) => {
  const known = new Map(others.map((row) => [comparable(row), row]));
  if (known.size === 0) return [];
  return rows.map((row) => {
    const twin = known.get(comparable(row));
    return twin === undefined
      ? null
      : violation(row, 'a row that the other tenant does not have', row.value, asIn(twin.request));
  });
};

/** Some ids that only the other tenant has. */
const foreignIds = ({ own, others }: BothTenants): readonly string[] => {
  const ownIds = new Set(idsIn(own));
  return [...new Set(idsIn(others))].filter((id) => !ownIds.has(id)).slice(0, 3);
};

const noCommonRow = (name: string, rows: (auth: Auth) => Need<readonly Located[]>): Check =>
  must(
    `isolation.${name}`,
    '1 rule 2, 5 rule 6',
    `${name}: no row of one tenant is, in every field, a row of the other`,
  )(ofBoth(rows), ({ own, others }) => haveNoCommonRow(own, others), `${name} of both tenants`);

const foreignDetails = (id: string, credential: string, auth: Auth): Check =>
  must(
    `isolation.${id}`,
    '4.3, 5 rule 6',
    `finding: with a ${credential}, ids of the other tenant are answered like ids that do not exist`,
  )(
    both(
      response(findingRequest(unknownFindingId, auth)),
      derived(
        ofBoth((each) => mapped(list('findings', { auth: each }), ({ rows }) => rows)),
        (findings) => responses(foreignIds(findings).map((foreignId) => findingRequest(foreignId, auth))),
      ),
    ),
    ([unknown, foreign]) => [
      ...isError(foreign, 404, FindingNotFoundBody),
      foreign.response.text === unknown.response.text
        ? null
        : violation(foreign, 'the same body', foreign.response.text, asIn(unknown.request)),
    ],
    'a finding of the other tenant whose id this one does not have',
  );

/** The repoId of another tenant, alone and with the other parameters. */
const foreignRepoId = (name: ListName, suffix: string, credential: string, auth: Auth): Check =>
  must(
    `isolation.${name}.${suffix}`,
    `${listSection[name]}, 5 rule 6`,
    `${name}: with a ${credential}, the repoId of another tenant gives an empty result, also with status, page and limit`,
  )(
    derived(ofBoth(repos), (tenants) => {
      const [first, ...others] = foreignIds(tenants).map((repoId): QueryValues => ({ repoId }));
      const status = name === 'findings' ? 'pending' : 'open';
      const queries =
        first === undefined ? [] : [first, { ...first, status }, { ...first, page: 1, limit: maxLimit }];
      return responses([...queries, ...others].map((query) => listRequest(name, query, auth)));
    }),
    isEmptyPage,
    'a repository of the other tenant whose id this one does not have',
  );

/**
 * No tenant sees what belongs to another (contract, section 5, rule 6). These checks need a second tenant.
 */
export const isolationChecks: readonly Check[] = [
  noCommonRow('repos', repos),
  noCommonRow('findings', sampledRows('findings')),
  noCommonRow('prs', sampledRows('prs')),
  foreignDetails('finding', 'session', bySession),
  foreignDetails('finding-by-token', 'token', byToken),
  ...listNames.map((name) => foreignRepoId(name, 'repo-id', 'session', bySession)),
  foreignRepoId('prs', 'repo-id-by-token', 'token', byToken),
  must(
    'isolation.prs.by-token',
    '5 rules 2 and 6',
    "prs: the other tenant's token returns none of this tenant's rows",
  )(
    ofBoth(sampledRows('prs'), byToken, byBearer('otherToken')),
    ({ own, others }) => haveNoCommonRow(others, own),
    'prs of both tenants',
  ),
];
