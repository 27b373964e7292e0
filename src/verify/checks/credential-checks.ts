import { isJsonEqual } from '../../common/canonical-json.js';
import { UnauthorizedBody } from '../../contract/error-bodies.js';
import { type AnyOperation, operations } from '../../contract/operations.js';
import type { Exchange } from '../caching-client.js';
import { asIn, isError, isOk, violation } from '../cases.js';
import { type Check, checkAt, must } from '../check.js';
import { contractPart } from '../contract-fields.js';
import { idsIn } from '../json-rows.js';
import { both, list, type Need, response, sampled } from '../needs.js';
import { requestTo } from '../requests.js';
import { type Auth, bySession, byToken, noCredentials } from '../test-credentials.js';
import type { Case } from '../verdict.js';

/** A request to the operation that valid credentials get a 200 for. */
const validRequest = (operation: AnyOperation, auth: Auth): Need<Exchange> =>
  operation.path.includes('{id}')
    ? sampled(list('findings'), ({ rows }) =>
        idsIn(rows)
          .slice(0, 1)
          .map((id) => requestTo(operation, { id, auth })),
      )
    : response(requestTo(operation, { auth }));

/** The credentials that every operation is tried with. */
const combinations: readonly Readonly<{ id: string; auth: Auth; description: string }>[] = [
  { id: 'none', auth: noCredentials, description: 'no credentials' },
  {
    id: 'invalid-cookie',
    auth: { session: 'invalidSession', bearer: null },
    description: 'an invalid cookie',
  },
  {
    id: 'invalid-bearer',
    auth: { session: null, bearer: 'invalidToken' },
    description: 'an invalid bearer token',
  },
  {
    id: 'both-invalid',
    auth: { session: 'invalidSession', bearer: 'invalidToken' },
    description: 'an invalid cookie and an invalid bearer token',
  },
  {
    id: 'expired-cookie',
    auth: { session: 'expiredSession', bearer: null },
    description: 'an expired cookie',
  },
  {
    id: 'expired-bearer',
    auth: { session: null, bearer: 'expiredToken' },
    description: 'an expired bearer token',
  },
  { id: 'cookie', auth: bySession, description: 'a valid cookie' },
  { id: 'bearer', auth: byToken, description: 'a valid bearer token' },
  {
    id: 'both',
    auth: { session: 'session', bearer: 'token' },
    description: 'a valid cookie and a valid bearer token',
  },
  {
    id: 'cookie-and-invalid-bearer',
    auth: { session: 'session', bearer: 'invalidToken' },
    description: 'a valid cookie and an invalid bearer token',
  },
  {
    id: 'bearer-and-invalid-cookie',
    auth: { session: 'invalidSession', bearer: 'token' },
    description: 'a valid bearer token and an invalid cookie',
  },
];

const isValid: Readonly<Record<'session' | 'bearer', (auth: Auth) => boolean>> = {
  session: ({ session }) => session === 'session',
  bearer: ({ bearer }) => bearer === 'token',
};

/** Which credentials each operation accepts (contract, sections 5 and 7). */
export const credentialChecks: readonly Check[] = Object.values(operations).flatMap(
  (operation: AnyOperation) =>
    combinations.map(({ id, auth, description }) => {
      const { accepts } = operation;
      const isAccepted = accepts.some((kind) => isValid[kind](auth));
      // If both kinds are accepted and one of two credentials is invalid, the contract does not say which counts.
      const isOpen = isAccepted && !accepts.every((kind) => isValid[kind](auth) || auth[kind] === null);
      return checkAt(isOpen ? 'info' : 'must')(
        `credentials.${operation.id}.${id}`,
        isAccepted ? '5' : '5 rule 4, 7',
        `${operation.id}: ${description} is answered ${isAccepted ? 'with 200' : '401 {"error":"Unauthorized"}'}`,
        validRequest(operation, auth),
        (exchange) => (isAccepted ? isOk(exchange) : isError(exchange, 401, UnauthorizedBody)),
        'a finding',
      );
    }),
);

const sameResponse = (
  id: string,
  section: string,
  statement: string,
  operation: AnyOperation,
  [one, other]: readonly [Auth, Auth],
): Check =>
  must(
    `credentials.${operation.id}.${id}`,
    section,
    `${operation.id}: ${statement}`,
    both(validRequest(operation, one), validRequest(operation, other)),
    ([left, right]): Case => {
      const [{ status }, { status: got }] = [left.response, right.response];
      return status === got && isJsonEqual(contractPart(left.body), contractPart(right.body))
        ? null
        : violation(
            right,
            `the same response${asIn(left.request)} (${status})`,
            status === got ? right.body : got,
          );
    },
    'a finding',
  );

/** Which credentials have to get the same response (contract, section 5, rules 2 and 3). */
export const agreementChecks: readonly Check[] = Object.values(operations).flatMap(
  (operation: AnyOperation) =>
    operation.accepts.includes('bearer')
      ? [
          sameResponse('same-scope', '5 rule 2', 'a token sees what a session sees', operation, [
            bySession,
            byToken,
          ]),
        ]
      : [
          sameResponse(
            'authorization-not-read',
            '5 rule 3',
            'an invalid Authorization header next to a valid cookie changes nothing',
            operation,
            [bySession, { session: 'session', bearer: 'invalidToken' }],
          ),
          sameResponse(
            'others-token-not-read',
            '5 rule 3',
            "another tenant's token next to a valid cookie changes nothing",
            operation,
            [bySession, { session: 'session', bearer: 'otherToken' }],
          ),
        ],
);
