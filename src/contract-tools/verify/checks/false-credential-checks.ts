import { UnauthorizedBody } from '../../../contract/error-bodies.js';
import type { CredentialKind } from '../../../contract/operations.js';
import { isError, violation } from '../cases.js';
import { because, type Check, must } from '../check.js';
import { responses } from '../request-needs.js';
import {
  allOperations,
  type ListName,
  listNames,
  listOperations,
  listRequest,
  type QueryValues,
  unknownRepoId,
} from '../requests.js';
import { type Auth, noCredentials } from '../test-credentials.js';
import { validRequest } from './valid-request.js';

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
