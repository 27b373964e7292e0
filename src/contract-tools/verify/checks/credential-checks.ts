import { isJsonEqual } from '../../../common/json.js';
import { UnauthorizedBody } from '../../../contract/error-bodies.js';
import type { AnyOperation, CredentialKind } from '../../../contract/operations.js';
import type { Exchange } from '../caching-client.js';
import { asIn, isError, isOk, violation } from '../cases.js';
import { type Check, checkAt, must } from '../check.js';
import { contractPart } from '../contract-fields.js';
import { sampledList } from '../list-needs.js';
import { both, derived, nothing } from '../need.js';
import { response } from '../request-needs.js';
import { allOperations, listRequest } from '../requests.js';
import { type Auth, bySession, byToken, noCredentials, type SecretName } from '../test-credentials.js';
import type { Case } from '../verdict.js';
import { selectivePrFilter } from './prs-by-status.js';
import { validRequest } from './valid-request.js';

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
