import { isJsonEqual } from '../../../common/json.js';
import { UnauthorizedBody } from '../../../contract/error-bodies.js';
import type { AnyOperation, CredentialKind } from '../../../contract/operations.js';
import { asIn, because, type Case, type Check, checkAt, isError, isOk, must, violation } from '../check.js';
import { sampledList } from '../list-needs.js';
import { both, derived, type Need, nothing } from '../need.js';
import {
  allOperations,
  type Exchange,
  type ListName,
  listNames,
  listOperations,
  listRequest,
  type QueryValues,
  requestTo,
  response,
  responses,
  sampled,
  unknownRepoId,
} from '../requests.js';
import { contractPart, idsIn } from '../rows.js';
import { type Auth, bySession, byToken, noCredentials, type SecretName } from '../test-credentials.js';
import { selectivePrFilter } from './pr-checks.js';

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

/** The credentials that every operation is tried with, by the last part of the check's id. */
const combinations: Readonly<Record<string, Auth>> = {
  none: noCredentials,
  'invalid-cookie': { session: 'invalidSession', bearer: null },
  'invalid-bearer': { session: null, bearer: 'invalidToken' },
  'both-invalid': { session: 'invalidSession', bearer: 'invalidToken' },
  'expired-cookie': { session: 'expiredSession', bearer: null },
  'expired-bearer': { session: null, bearer: 'expiredToken' },
  cookie: bySession,
  bearer: byToken,
  both: { session: 'session', bearer: 'token' },
  'cookie-and-invalid-bearer': { session: 'session', bearer: 'invalidToken' },
  'bearer-and-invalid-cookie': { session: 'invalidSession', bearer: 'token' },
};

const descriptions: Readonly<Partial<Record<SecretName, string>>> = {
  session: 'a valid cookie',
  invalidSession: 'an invalid cookie',
  expiredSession: 'an expired cookie',
  token: 'a valid bearer token',
  invalidToken: 'an invalid bearer token',
  expiredToken: 'an expired bearer token',
};

const describeAuth = ({ session, bearer }: Auth): string =>
  [session, bearer].flatMap((name) => (name === null ? [] : (descriptions[name] ?? name))).join(' and ') ||
  'no credentials';

const isValid = (auth: Auth, kind: CredentialKind): boolean =>
  auth[kind] === 'session' || auth[kind] === 'token';

const credentialCheck = (operation: AnyOperation, suffix: string, auth: Auth): Check => {
  const { id, accepts } = operation;
  const isAccepted = accepts.some((kind) => isValid(auth, kind));
  // If both kinds are accepted and one of two credentials is invalid, the contract does not say which one
  // counts.
  const isOpen = isAccepted && accepts.some((kind) => auth[kind] !== null && !isValid(auth, kind));
  return checkAt(isOpen ? 'info' : 'must')(
    `credentials.${id}.${suffix}`,
    isAccepted ? '5' : '5 rule 4, 7',
    `${id}: answers ${isAccepted ? '200' : '401 {"error":"Unauthorized"}'} to ${describeAuth(auth)}`,
    validRequest(operation, auth),
    (exchange) => (isAccepted ? isOk(exchange) : isError(exchange, 401, UnauthorizedBody)),
    'a finding',
  );
};

/** Which credentials each operation accepts (contract, sections 5 and 7). */
export const credentialChecks: readonly Check[] = allOperations.flatMap((operation) =>
  Object.entries(combinations).map(([suffix, auth]) => credentialCheck(operation, suffix, auth)),
);

/**
 * Credentials that get the same response as the session, from operations that do or do not accept a bearer
 * token.
 */
const agreements: readonly Readonly<{
  acceptsBearer: boolean;
  suffix: string;
  section: string;
  statement: string;
  auth: Auth;
}>[] = [
  {
    acceptsBearer: true,
    suffix: 'same-scope',
    section: '5 rule 2',
    statement: 'a token sees what a session sees',
    auth: byToken,
  },
  {
    acceptsBearer: false,
    suffix: 'authorization-not-read',
    section: '5 rule 3',
    statement: 'an invalid Authorization header next to a valid cookie changes nothing',
    auth: { session: 'session', bearer: 'invalidToken' },
  },
  {
    acceptsBearer: false,
    suffix: 'other-scheme-not-read',
    section: '5 rule 3',
    statement: 'an Authorization header of another scheme next to a valid cookie changes nothing',
    auth: {
      session: 'session',
      bearer: null,
      other: { header: 'Authorization', prefix: 'Basic ', secret: 'invalidToken' },
    },
  },
  {
    acceptsBearer: false,
    suffix: 'others-token-not-read',
    section: '5 rule 3',
    statement: "another tenant's token next to a valid cookie changes nothing",
    auth: { session: 'session', bearer: 'otherToken' },
  },
];

const isSameResponse = ([left, right]: readonly [Exchange, Exchange]): Case => {
  const [{ status }, { status: got }] = [left.response, right.response];
  return status === got && isJsonEqual(contractPart(left.body), contractPart(right.body))
    ? null
    : violation(
        right,
        `the same response${asIn(left.request)} (${status})`,
        status === got ? right.body : got,
      );
};

/** Which credentials get the same response (contract, section 5, rules 2 and 3). */
export const agreementChecks: readonly Check[] = [
  ...allOperations.flatMap((operation) =>
    agreements
      .filter(({ acceptsBearer }) => acceptsBearer === operation.accepts.includes('bearer'))
      .map(({ suffix, section, statement, auth }) =>
        must(
          `credentials.${operation.id}.${suffix}`,
          section,
          `${operation.id}: ${statement}`,
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
    derived(sampledList('prs'), (all) => {
      const filter = selectivePrFilter(all);
      const query = { ...filter, page: 1, limit: 2 };
      const sentBy = (auth: Auth) => response(listRequest('prs', query, auth));
      return filter === undefined
        ? nothing<readonly [Exchange, Exchange]>()
        : both(sentBy(bySession), sentBy(byToken));
    }),
    isSameResponse,
    'a repository with pull requests of different status, and another one',
  ),
];

/** Credentials that resemble valid ones. `kind`: only operations that accept this kind are tried. */
type FalseCredentials = Readonly<{
  suffix: string;
  section: string;
  description: string;
  reasoning: string;
  auth: Auth;
  kind?: CredentialKind;
}>;

const otherValue =
  'The value is not one that was issued, so it is invalid. A server that accepts it compares only a part of the ' +
  'value, or ignores letter case, and makes guessing easier.';

const otherKind =
  'A session is sent as a cookie and a token as Authorization: Bearer. Section 5 lists nothing else, and a value ' +
  'of one kind is no credential of the other.';

const noOtherSurface =
  'Section 5, rule 5: there is no other API-key surface. Tokens count in Authorization: Bearer only (rule 2), and ' +
  'a header that is not listed is no credential.';

const falseCredentials: readonly FalseCredentials[] = [
  ...(['session', 'bearer'] as const).flatMap((kind): readonly FalseCredentials[] => {
    const [subject, word] =
      kind === 'session' ? (['Session', 'cookie'] as const) : (['Token', 'bearer'] as const);
    const noun = kind === 'session' ? 'a cookie' : 'a bearer token';
    const section = '5 rule 4, 7';
    const common = { section, reasoning: otherValue, kind };
    const only = (name: `${'shortened' | 'lengthened' | 'recased'}${'Session' | 'Token'}`): Auth => ({
      ...noCredentials,
      [kind]: name,
    });
    return [
      {
        ...common,
        suffix: `shortened-${word}`,
        description: `${noun} that lacks the end of its value`,
        auth: only(`shortened${subject}`),
      },
      {
        ...common,
        suffix: `lengthened-${word}`,
        description: `${noun} with another character at its end`,
        auth: only(`lengthened${subject}`),
      },
      {
        ...common,
        suffix: `recased-${word}`,
        description: `${noun} in other letter case`,
        auth: only(`recased${subject}`),
      },
    ];
  }),
  {
    suffix: 'token-as-cookie',
    section: '5 rules 1 and 2',
    description: 'an API token as the value of the cookie',
    reasoning: otherKind,
    auth: { session: 'token', bearer: null },
  },
  {
    suffix: 'session-as-bearer',
    section: '5 rules 1 and 2',
    description: 'the value of a session as a bearer token',
    reasoning: otherKind,
    auth: { session: null, bearer: 'session' },
  },
  {
    suffix: 'x-api-key',
    section: '5 rule 5',
    description: 'a token in X-Api-Key',
    reasoning: noOtherSurface,
    auth: { ...noCredentials, other: { header: 'X-Api-Key', prefix: '', secret: 'token' } },
  },
  {
    suffix: 'x-auth-token',
    section: '5 rule 5',
    description: 'a token in X-Auth-Token',
    reasoning: noOtherSurface,
    auth: { ...noCredentials, other: { header: 'X-Auth-Token', prefix: '', secret: 'token' } },
    kind: 'bearer',
  },
  {
    suffix: 'authorization-token',
    section: '5 rule 2',
    description: 'a token as "Authorization: Token …"',
    reasoning: noOtherSurface,
    auth: { ...noCredentials, other: { header: 'Authorization', prefix: 'Token ', secret: 'token' } },
    kind: 'bearer',
  },
  {
    suffix: 'authorization-other-scheme',
    section: '5 rule 2',
    description: 'a token as "Authorization: NotBearer …"',
    reasoning: noOtherSurface,
    auth: { ...noCredentials, other: { header: 'Authorization', prefix: 'NotBearer ', secret: 'token' } },
    kind: 'bearer',
  },
  {
    suffix: 'authorization-bare',
    section: '5 rule 2',
    description: 'a token in Authorization without "Bearer"',
    reasoning: noOtherSurface,
    auth: { ...noCredentials, other: { header: 'Authorization', prefix: '', secret: 'token' } },
    kind: 'bearer',
  },
];

/** Credentials that resemble valid ones are invalid (contract, section 5). */
export const falseCredentialChecks: readonly Check[] = allOperations.flatMap((operation) =>
  falseCredentials
    .filter(({ kind }) => kind === undefined || operation.accepts.includes(kind))
    .map(({ suffix, section, description, reasoning, auth }) =>
      because(
        reasoning,
        must(
          `credentials.${operation.id}.${suffix}`,
          section,
          `${operation.id}: answers 401 {"error":"Unauthorized"} to ${description}`,
          validRequest(operation, auth),
          (exchange) => isError(exchange, 401, UnauthorizedBody),
          'a finding',
        ),
      ),
    ),
);

/** Parameters that a server may refuse, and one that finds nothing. */
const doubtfulQueries: Readonly<Record<ListName, readonly QueryValues[]>> = {
  findings: [
    { page: '0' },
    { limit: 'abc' },
    { repoId: unknownRepoId, limit: 1000 },
    { severity: 'moderate' },
    { status: 'Pending' },
  ],
  prs: [{ page: '0' }, { limit: 'abc' }, { repoId: unknownRepoId, limit: 1000 }, { status: 'cancelled' }],
};

const parameterNames: Readonly<Record<ListName, string>> = {
  findings: 'page, limit, repoId, severity or status',
  prs: 'page, limit, repoId or status',
};

/** For a 401 only credentials matter, never parameters (contract, section 5, rule 4, and section 7). */
export const parameterChecks: readonly Check[] = listNames.flatMap((name) => [
  because(
    'Section 5, rule 4: missing credentials on any endpoint produce a 401. It makes no exception for requests ' +
      'that are wrong in another way, too.',
    must(
      `credentials.${listOperations[name].id}.none-with-parameters`,
      '5 rule 4, 7',
      `${listOperations[name].id}: answers 401 {"error":"Unauthorized"} to no credentials, ` +
        `whatever ${parameterNames[name]} says`,
      responses(doubtfulQueries[name].map((query) => listRequest(name, query, noCredentials))),
      (exchange) => isError(exchange, 401, UnauthorizedBody),
    ),
  ),
  because(
    'Section 7: 401 means that credentials are missing, expired or invalid. How wrong parameters are refused is left ' +
      'open, but a client that gets a 401 sends its user to the login.',
    must(
      `credentials.${listOperations[name].id}.valid-with-parameters`,
      '7',
      `${listOperations[name].id}: does not answer 401 to a valid cookie, whatever ${parameterNames[name]} says`,
      responses(doubtfulQueries[name].map((query) => listRequest(name, query))),
      (exchange) =>
        exchange.response.status === 401 ? violation(exchange, 'another status than 401', 401) : null,
    ),
  ),
]);
