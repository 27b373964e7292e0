import { FindingNotFoundBody, UnauthorizedBody } from '../../contract/error-bodies.js';
import type { AnyOperation, CredentialKind } from '../../contract/operations.js';
import { maxLimit } from '../../contract/page-and-limit.js';
import {
  asIn,
  type Case,
  type Cases,
  type Check,
  checksOf,
  type Examination,
  isEmptyPage,
  isError,
  isOk,
  isSame,
  judgeEach,
  violation,
} from '../check.js';
import {
  allOperations,
  type Exchange,
  findingRequest,
  type ListName,
  listNames,
  listRequest,
  lists,
  type QueryValues,
  type RequestSpec,
  requestTo,
  unknownFindingId,
  unknownRepoId,
} from '../exchange.js';
import { contractFields, contractPart, idsIn, isRow, type ListItem, type Located, rowText } from '../rows.js';
import type { Server } from '../server.js';
import { type Auth, authKind, bySession, byToken, noCredentials, partOf } from '../test-credentials.js';
import { selectivePrFilter } from './filter-checks.js';

const credentialsOf = (operation: AnyOperation) =>
  checksOf(`credentials.${operation.id}`, 'a finding', operation.id);

const needsId = ({ pathParameters }: AnyOperation): boolean => 'id' in pathParameters.type.props;

/** Requests that valid credentials get a 200 for; where the path needs an id, with that of any finding. */
const validRequests = async (
  server: Server,
  operation: AnyOperation,
  auth: Auth,
): Promise<readonly RequestSpec[]> => {
  if (!needsId(operation)) return [requestTo(operation, { auth })];
  const [id] = idsIn((await server.sample('findings')).rows);
  return id === undefined ? [] : [requestTo(operation, { id, auth })];
};

const judgeValid = (
  operation: AnyOperation,
  auth: Auth,
  judge: (exchange: Exchange) => Cases,
): Examination =>
  needsId(operation)
    ? async (server) => (await server.responses(await validRequests(server, operation, auth))).flatMap(judge)
    : judgeEach([requestTo(operation, { auth })], judge);

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
  ['invalid-cookie', 'an invalid cookie', by('invalid session', null)],
  ['invalid-bearer', 'an invalid bearer token', by(null, 'invalid token')],
  ['both-invalid', 'an invalid cookie and an invalid bearer token', by('invalid session', 'invalid token')],
  ['expired-cookie', 'an expired cookie', by('expired session', null)],
  ['expired-bearer', 'an expired bearer token', by(null, 'expired token')],
  ['cookie', 'a valid cookie', bySession],
  ['bearer', 'a valid bearer token', byToken],
  ['both', 'a valid cookie and a valid bearer token', by('session', 'token')],
  ['cookie-and-invalid-bearer', 'a valid cookie and an invalid bearer token', by('session', 'invalid token')],
  ['bearer-and-invalid-cookie', 'an invalid cookie and a valid bearer token', by('invalid session', 'token')],
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
          const isAccepted = operation.accepts.some((kind) => isValid(auth, kind));
          if (!isAccepted)
            return must(
              `${part} (${section}): ${unauthorized} ${words}`,
              why,
            )(judgeValid(operation, auth, isUnauthorized));
          // If one of two credentials is invalid, the contract does not say which one counts.
          const isOpen = operation.accepts.some((kind) => auth[kind] !== null && !isValid(auth, kind));
          return (isOpen ? info : must)(`${part} (5): answers 200 to ${words}`)(
            judgeValid(operation, auth, isOk),
          );
        }),
    ),
  );

/** Credentials that change nothing next to a valid cookie, unless bearer tokens are accepted. */
const notRead: readonly Credential[] = [
  ['authorization', 'an invalid Authorization header', by('session', 'invalid token')],
  [
    'other-scheme',
    'an Authorization header of another scheme',
    { ...bySession, other: { header: 'Authorization', prefix: 'Basic ', secret: 'invalid token' } },
  ],
  ['others-token', "another tenant's token", by('session', 'other token')],
];

const haveSameResponse = async (server: Server, one: RequestSpec, other: RequestSpec): Promise<Case> => {
  const left = await server.response(one);
  const right = await server.response(other);
  const [{ status }, { status: got }] = [left.response, right.response];
  return status === got
    ? isSame(right, contractPart(right.body), contractPart(left.body), asIn(left.request))
    : violation(right, `status ${status}`, got, asIn(left.request));
};

/** Which credentials get the same response (contract, section 5, rules 2 and 3). */
const agreementChecks: readonly Check[] = [
  ...allOperations.flatMap((operation) => {
    const { must } = credentialsOf(operation);
    const areSame = (auth: Auth) => async (server: Server) => {
      const [request] = await validRequests(server, operation, bySession);
      return request === undefined ? [] : haveSameResponse(server, request, { ...request, auth });
    };
    if (operation.accepts.includes('bearer'))
      return [must('same-scope (5 rule 2): a token sees what a session sees')(areSame(byToken))];
    return notRead.map(([part, words, auth]) =>
      must(`${part}-not-read (5 rule 3): ${words} next to a valid cookie changes nothing`)(areSame(auth)),
    );
  }),
  credentialsOf(lists.prs.operation).must.requiring(
    'a repository with pull requests of different status, and another one',
  )(
    'same-scope-filtered (5 rule 2, 4.4): with repoId, status, page and limit, too, a token sees what a session sees',
  )(async (server) => {
    const filter = await selectivePrFilter(server);
    const sentBy = (auth: Auth) => listRequest('prs', { ...filter, page: 1, limit: 2 }, auth);
    return filter === undefined ? [] : haveSameResponse(server, sentBy(bySession), sentBy(byToken));
  }),
];

/** A token in another header, or with another prefix. */
const inHeader = (header: string, prefix = ''): Auth => ({
  ...noCredentials,
  other: { header, prefix, secret: 'token' },
});
const inAuthorization = (prefix: string): Auth => inHeader('Authorization', prefix);

const alterations = [
  ['shortened', 'that lacks the end of its value', 'without its end'],
  ['lengthened', 'with another character at its end', 'with another character'],
  ['recased', 'in other letter case', 'in other case'],
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
    alterations.flatMap(([part, words, how]): readonly Credential[] => [
      [`${part}-cookie`, `a cookie ${words}`, by(`session ${how}`, null)],
      [`${part}-bearer`, `a bearer token ${words}`, by(null, `token ${how}`), 'bearer'],
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
  const judgeDoubtful = (auth: Auth, judge: (exchange: Exchange) => Cases) =>
    judgeEach(
      doubtfulQueries(name).map((query) => listRequest(name, query, auth)),
      judge,
    );
  return [
    must(
      `none-with-parameters (5 rule 4, 7): ${unauthorized} no credentials, ${whatever}`,
      'Section 5, rule 4: missing credentials on any endpoint produce a 401. It makes no exception for requests ' +
        'that are wrong in another way, too.',
    )(judgeDoubtful(noCredentials, isUnauthorized)),
    must(
      `valid-with-parameters (7): does not answer 401 to a valid cookie, ${whatever}`,
      'Section 7: 401 means that credentials are missing, expired or invalid. How wrong parameters are refused is left ' +
        'open, but a client that gets a 401 sends its user to the login.',
    )(
      judgeDoubtful(bySession, (exchange) =>
        exchange.response.status === 401 ? violation(exchange, 'another status than 401', 401) : null,
      ),
    ),
  ];
});

const isolation = checksOf('isolation', undefined, null);

/** The rows of the tenant, and those of the second one. */
type BothTenants = Readonly<{ own: readonly Located[]; others: readonly Located[] }>;

type RowsOf = (server: Server, auth: Auth) => Promise<readonly Located[]>;

const ofBoth = async (
  server: Server,
  rows: RowsOf,
  auth = bySession,
  otherAuth = by('other session', null),
): Promise<BothTenants> => ({ others: await rows(server, otherAuth), own: await rows(server, auth) });

/** For what holds of any part of the lists. */
const sampledRows =
  (name: ListName): RowsOf =>
  async (server, auth) =>
    (await server.sample(name, { auth })).rows;

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

const noCommonRow = (name: string, rows: RowsOf): Check =>
  isolation.must.requiring(`${name} of both tenants`)(
    `${name} (1 rule 2, 5 rule 6; foreign-rows): ${name}: no row of one tenant is, in every field, a row of the other`,
  )(async (server) => {
    const { own, others } = await ofBoth(server, rows);
    return haveNoCommonRow(own, others);
  });

/** Whether two findings of one id are one: what they are about, as far as both say it, stays the same. */
const isSameFinding = (finding: ListItem, other: ListItem = {}): boolean =>
  ['repoId', 'advisoryId', 'package'].every(
    (name) => !(name in finding && name in other) || finding[name] === other[name],
  );

const foreignDetails = (auth: Auth): Check =>
  isolation.must.requiring('a finding of the other tenant whose id this one does not have')(
    `finding${partOf(auth)} (4.3, 5 rule 6): finding: with a ${authKind(auth)}, ids of the other tenant are answered like ids that do not exist`,
  )(async (server) => {
    const unknown = await server.response(findingRequest(unknownFindingId, auth));
    const tenants = await ofBoth(server, sampledRows('findings'));
    const theirs = new Map(tenants.others.map(({ value }) => [value.id, value]));
    const foreign = await server.withResponses(
      foreignIds(tenants).map((id) => ({ id })),
      ({ id }) => findingRequest(id, auth),
    );
    return foreign.flatMap(({ id, exchange }) => {
      const { response, body } = exchange;
      // A finding of this tenant with the same id may be on no page that was fetched, or that there is.
      if (response.status === 200 && isRow(body) && body.id === id && !isSameFinding(body, theirs.get(id)))
        return [];
      const isAlike = response.text === unknown.response.text;
      return [
        ...isError(exchange, 404, FindingNotFoundBody),
        isAlike ? null : violation(exchange, 'the same body', response.text, asIn(unknown.request)),
      ];
    });
  });

/** The repoId of another tenant, alone and with the other parameters. */
const foreignRepoId = (name: ListName, auth: Auth): Check => {
  const [id, section] = [`${name}.repo-id${partOf(auth)}`, `${lists[name].section}, 5 rule 6`];
  const request = `with a ${authKind(auth)}, the repoId of another tenant`;
  return isolation.must.requiring('a repository of the other tenant whose id this one does not have')(
    `${id} (${section}): ${name}: ${request} gives an empty result, also with status, page and limit`,
  )(async (server) => {
    const tenants = await ofBoth(server, (each, by) => each.repos(by));
    const [first, ...others] = foreignIds(tenants).map((repoId): QueryValues => ({ repoId }));
    const status = name === 'findings' ? 'pending' : 'open';
    const queries =
      first === undefined ? [] : [first, { ...first, status }, { ...first, page: 1, limit: maxLimit }];
    const requests = [...queries, ...others].map((query) => listRequest(name, query, auth));
    return (await server.responses(requests)).flatMap(isEmptyPage);
  });
};

/** No tenant sees what belongs to another (contract, section 5, rule 6). */
const isolationChecks: readonly Check[] = [
  noCommonRow('repos', (server, auth) => server.repos(auth)),
  noCommonRow('findings', sampledRows('findings')),
  noCommonRow('prs', sampledRows('prs')),
  foreignDetails(bySession),
  foreignDetails(byToken),
  ...listNames.map((name) => foreignRepoId(name, bySession)),
  foreignRepoId('prs', byToken),
  isolation.must.requiring('prs of both tenants')(
    "prs.by-token (5 rules 2 and 6; foreign-token): prs: the other tenant's token returns none of this tenant's rows",
  )(async (server) => {
    const { own, others } = await ofBoth(server, sampledRows('prs'), byToken, by(null, 'other token'));
    return haveNoCommonRow(others, own);
  }),
];

export const credentialChecks: readonly Check[] = [
  ...acceptanceChecks([['5 rule 4, 7', undefined, combinations]]),
  ...agreementChecks,
  ...acceptanceChecks(falseCredentials),
  ...parameterChecks,
  ...isolationChecks,
];
