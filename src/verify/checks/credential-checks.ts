import { FindingNotFoundBody, UnauthorizedBody } from '../../contract/error-bodies.js';
import type { AnyOperation, CredentialKind } from '../../contract/operations.js';
import { maxLimit } from '../../contract/page-and-limit.js';
import { asIn, type Check, checksOf, isEmptyPage, isError, isOk, isSame, violation } from '../check.js';
import { allOperations, type Exchange } from '../exchange.js';
import { list, sampledList } from '../lists.js';
import { both, derived, mapped, type Need } from '../need.js';
import {
  findingRequest,
  type ListName,
  listNames,
  listRequest,
  lists,
  type QueryValues,
  repos,
  requestTo,
  response,
  responses,
  sampled,
  unknownFindingId,
  unknownRepoId,
} from '../requests.js';
import { contractFields, contractPart, idsIn, type Located, rowText } from '../rows.js';
import { type Auth, authKind, bySession, byToken, noCredentials, partOf } from '../test-credentials.js';
import { selectivePrFilter } from './filter-checks.js';

const credentialsOf = (operation: AnyOperation) =>
  checksOf(`credentials.${operation.id}`, 'a finding', operation.id);

/** A request that valid credentials get a 200 for; where the path needs an id, with that of any finding. */
const validRequest = (operation: AnyOperation, auth: Auth): Need<Exchange> =>
  'id' in operation.pathParameters.type.props
    ? sampled(sampledList('findings'), ({ rows }) =>
        idsIn(rows)
          .slice(0, 1)
          .map((id) => requestTo(operation, { id, auth })),
      )
    : response(requestTo(operation, { auth }));

const isUnauthorized = (exchange: Exchange) => isError(exchange, 401, UnauthorizedBody);

const unauthorized = 'answers 401 {"error":"Unauthorized"} to';

/** The secrets that the cookie and the header Authorization carry. */
const by = (session: Auth['session'], bearer: Auth['bearer']): Auth => ({ session, bearer });

/** The last part of the id, what the credential is, and the kind that an operation has to accept. */
type Credential = readonly [part: string, words: string, auth: Auth, kind?: CredentialKind];

/** Credentials by the section that rejects them unless they are accepted, and why they are invalid. */
type CredentialGroup = readonly [section: string, why: string | undefined, tried: readonly Credential[]];

const combinations: readonly Credential[] = [
  ['none', 'no credentials', noCredentials],
  ['invalid-cookie', 'an invalid cookie', by('invalidSession', null)],
  ['invalid-bearer', 'an invalid bearer token', by(null, 'invalidToken')],
  ['both-invalid', 'an invalid cookie and an invalid bearer token', by('invalidSession', 'invalidToken')],
  ['expired-cookie', 'an expired cookie', by('expiredSession', null)],
  ['expired-bearer', 'an expired bearer token', by(null, 'expiredToken')],
  ['cookie', 'a valid cookie', bySession],
  ['bearer', 'a valid bearer token', byToken],
  ['both', 'a valid cookie and a valid bearer token', by('session', 'token')],
  ['cookie-and-invalid-bearer', 'a valid cookie and an invalid bearer token', by('session', 'invalidToken')],
  ['bearer-and-invalid-cookie', 'an invalid cookie and a valid bearer token', by('invalidSession', 'token')],
];

const isValid = (auth: Auth, kind: CredentialKind): boolean =>
  auth[kind] === (kind === 'session' ? 'session' : 'token');

/** Which credentials each operation accepts (contract, sections 5 and 7). */
const acceptanceChecks = (groups: readonly CredentialGroup[]): readonly Check[] =>
  allOperations.flatMap((operation) =>
    groups.flatMap(([section, why, credentials]) =>
      credentials
        .filter(([, , , kind = 'session']) => operation.accepts.includes(kind))
        .map(([part, words, auth]) => {
          const { must, info } = credentialsOf(operation);
          const request = validRequest(operation, auth);
          const isAccepted = operation.accepts.some((kind) => isValid(auth, kind));
          if (!isAccepted)
            return must(`${part} (${section}): ${unauthorized} ${words}`, why)(request, isUnauthorized);
          // If one of two credentials is invalid, the contract does not say which one counts.
          const isOpen = operation.accepts.some((kind) => auth[kind] !== null && !isValid(auth, kind));
          return (isOpen ? info : must)(`${part} (5): answers 200 to ${words}`)(request, isOk);
        }),
    ),
  );

/** Credentials that change nothing next to a valid cookie, unless bearer tokens are accepted. */
const notRead: readonly Credential[] = [
  ['authorization', 'an invalid Authorization header', by('session', 'invalidToken')],
  [
    'other-scheme',
    'an Authorization header of another scheme',
    { ...bySession, other: { header: 'Authorization', prefix: 'Basic ', secret: 'invalidToken' } },
  ],
  ['others-token', "another tenant's token", by('session', 'otherToken')],
];

const isSameResponse = ([left, right]: readonly [Exchange, Exchange]) => {
  const [{ status }, { status: got }] = [left.response, right.response];
  return status === got
    ? isSame(right, contractPart(right.body), contractPart(left.body), asIn(left.request))
    : violation(right, `status ${status}`, got, asIn(left.request));
};

/** Which credentials get the same response (contract, section 5, rules 2 and 3). */
const agreementChecks: readonly Check[] = [
  ...allOperations.flatMap((operation) => {
    const { must } = credentialsOf(operation);
    const withSession = (auth: Auth) =>
      both(validRequest(operation, bySession), validRequest(operation, auth));
    if (operation.accepts.includes('bearer'))
      return [
        must('same-scope (5 rule 2): a token sees what a session sees')(withSession(byToken), isSameResponse),
      ];
    return notRead.map(([part, words, auth]) =>
      must(`${part}-not-read (5 rule 3): ${words} next to a valid cookie changes nothing`)(
        withSession(auth),
        isSameResponse,
      ),
    );
  }),
  credentialsOf(lists.prs.operation).must.requiring(
    'a repository with pull requests of different status, and another one',
  )(
    'same-scope-filtered (5 rule 2, 4.4): with repoId, status, page and limit, too, a token sees what a session sees',
  )(
    derived(selectivePrFilter, (filter) => {
      const sentBy = (auth: Auth) => response(listRequest('prs', { ...filter, page: 1, limit: 2 }, auth));
      return both(sentBy(bySession), sentBy(byToken));
    }),
    isSameResponse,
  ),
];

/** A token in another header, or with another prefix. */
const inHeader = (header: string, prefix = ''): Auth => ({
  ...noCredentials,
  other: { header, prefix, secret: 'token' },
});
const inAuthorization = (prefix: string): Auth => inHeader('Authorization', prefix);

const alterations = [
  ['shortened', 'that lacks the end of its value'],
  ['lengthened', 'with another character at its end'],
  ['recased', 'in other letter case'],
] as const;

const noOtherSurface =
  'Section 5, rule 5: there is no other API-key surface. Tokens count in Authorization: Bearer only (rule 2), and ' +
  'a header that is not listed is no credential.';

/** Credentials that resemble valid ones. */
const falseCredentials: readonly CredentialGroup[] = [
  [
    '5 rule 4, 7',
    'The value is not one that was issued, so it is invalid. A server that accepts it compares only a part of the ' +
      'value, or ignores letter case, and makes guessing easier.',
    alterations.flatMap(([how, words]): readonly Credential[] => [
      [`${how}-cookie`, `a cookie ${words}`, by(`${how}Session`, null)],
      [`${how}-bearer`, `a bearer token ${words}`, by(null, `${how}Token`), 'bearer'],
    ]),
  ],
  [
    '5 rules 1 and 2',
    'A session is sent as a cookie and a token as Authorization: Bearer. Section 5 lists nothing else, and a value ' +
      'of one kind is no credential of the other.',
    [
      ['token-as-cookie', 'an API token as the value of the cookie', by('token', null)],
      ['session-as-bearer', 'the value of a session as a bearer token', by(null, 'session')],
    ],
  ],
  [
    '5 rule 5',
    noOtherSurface,
    [
      ['x-api-key', 'a token in X-Api-Key', inHeader('X-Api-Key')],
      ['x-auth-token', 'a token in X-Auth-Token', inHeader('X-Auth-Token'), 'bearer'],
    ],
  ],
  [
    '5 rule 2',
    noOtherSurface,
    [
      ['authorization-token', 'a token as "Authorization: Token …"', inAuthorization('Token '), 'bearer'],
      [
        'authorization-other-scheme',
        'a token as "Authorization: NotBearer …"',
        inAuthorization('NotBearer '),
        'bearer',
      ],
      ['authorization-bare', 'a token in Authorization without "Bearer"', inAuthorization(''), 'bearer'],
    ],
  ],
];

/** Parameters that a server may refuse, and one that finds nothing. */
const doubtfulQueries = (name: ListName): readonly QueryValues[] => [
  { page: '0' },
  { limit: 'abc' },
  { repoId: unknownRepoId, limit: 1000 },
  ...(name === 'findings' ? [{ severity: 'moderate' }, { status: 'Pending' }] : [{ status: 'cancelled' }]),
];

/** For a 401 only credentials matter, never parameters (contract, section 5, rule 4, and section 7). */
const parameterChecks: readonly Check[] = listNames.flatMap((name) => {
  const { must } = checksOf(`credentials.${lists[name].operation.id}`, undefined, lists[name].operation.id);
  const whatever = `whatever page, limit, repoId${name === 'findings' ? ', severity' : ''} or status says`;
  const sentBy = (auth: Auth) =>
    responses(doubtfulQueries(name).map((query) => listRequest(name, query, auth)));
  return [
    must(
      `none-with-parameters (5 rule 4, 7): ${unauthorized} no credentials, ${whatever}`,
      'Section 5, rule 4: missing credentials on any endpoint produce a 401. It makes no exception for requests ' +
        'that are wrong in another way, too.',
    )(sentBy(noCredentials), isUnauthorized),
    must(
      `valid-with-parameters (7): does not answer 401 to a valid cookie, ${whatever}`,
      'Section 7: 401 means that credentials are missing, expired or invalid. How wrong parameters are refused is left ' +
        'open, but a client that gets a 401 sends its user to the login.',
    )(sentBy(bySession), (exchange) =>
      exchange.response.status === 401 ? violation(exchange, 'another status than 401', 401) : null,
    ),
  ];
});

const isolation = checksOf('isolation', undefined, null);

/** The rows of the tenant, and those of the second one. */
type BothTenants = Readonly<{ own: readonly Located[]; others: readonly Located[] }>;

const ofBoth = (
  rows: (auth: Auth) => Need<readonly Located[]>,
  auth = bySession,
  otherAuth = by('otherSession', null),
): Need<BothTenants> => mapped(both(rows(otherAuth), rows(auth)), ([others, own]) => ({ own, others }));

/** For what holds of any part of the lists. */
const sampledRows = (name: ListName) => (auth: Auth) =>
  mapped(sampledList(name, { auth }), ({ rows }) => rows);

const comparable = ({ value }: Located): string => rowText(contractFields(value));

/** No row is in both lists, in every field: two tenants may have the same ids. */
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

const foreignIds = ({ own, others }: BothTenants): readonly string[] => {
  const ownIds = new Set(idsIn(own));
  return [...new Set(idsIn(others))].filter((id) => !ownIds.has(id)).slice(0, 3);
};

const noCommonRow = (name: string, rows: (auth: Auth) => Need<readonly Located[]>): Check =>
  isolation.must.requiring(`${name} of both tenants`)(
    `${name} (1 rule 2, 5 rule 6): ${name}: no row of one tenant is, in every field, a row of the other`,
  )(ofBoth(rows), ({ own, others }) => haveNoCommonRow(own, others));

const foreignDetails = (auth: Auth): Check =>
  isolation.must.requiring('a finding of the other tenant whose id this one does not have')(
    `finding${partOf(auth)} (4.3, 5 rule 6): finding: with a ${authKind(auth)}, ids of the other tenant are answered like ids that do not exist`,
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
  );

/** The repoId of another tenant, alone and with the other parameters. */
const foreignRepoId = (name: ListName, auth: Auth): Check => {
  const [id, section] = [`${name}.repo-id${partOf(auth)}`, `${lists[name].section}, 5 rule 6`];
  const request = `with a ${authKind(auth)}, the repoId of another tenant`;
  return isolation.must.requiring('a repository of the other tenant whose id this one does not have')(
    `${id} (${section}): ${name}: ${request} gives an empty result, also with status, page and limit`,
  )(
    derived(ofBoth(repos), (tenants) => {
      const [first, ...others] = foreignIds(tenants).map((repoId): QueryValues => ({ repoId }));
      const status = name === 'findings' ? 'pending' : 'open';
      const queries =
        first === undefined ? [] : [first, { ...first, status }, { ...first, page: 1, limit: maxLimit }];
      return responses([...queries, ...others].map((query) => listRequest(name, query, auth)));
    }),
    isEmptyPage,
  );
};

/** No tenant sees what belongs to another (contract, section 5, rule 6). */
const isolationChecks: readonly Check[] = [
  noCommonRow('repos', repos),
  noCommonRow('findings', sampledRows('findings')),
  noCommonRow('prs', sampledRows('prs')),
  foreignDetails(bySession),
  foreignDetails(byToken),
  ...listNames.map((name) => foreignRepoId(name, bySession)),
  foreignRepoId('prs', byToken),
  isolation.must.requiring('prs of both tenants')(
    "prs.by-token (5 rules 2 and 6): prs: the other tenant's token returns none of this tenant's rows",
  )(ofBoth(sampledRows('prs'), byToken, by(null, 'otherToken')), ({ own, others }) =>
    haveNoCommonRow(others, own),
  ),
];

export const credentialChecks: readonly Check[] = [
  ...acceptanceChecks([['5 rule 4, 7', undefined, combinations]]),
  ...agreementChecks,
  ...acceptanceChecks(falseCredentials),
  ...parameterChecks,
  ...isolationChecks,
];
