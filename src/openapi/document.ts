import type { JsonObject } from '../common/json.js';
import { operations, tags } from '../contract/operations.js';
import { otherResponses } from '../contract/response-docs.js';
import { components } from './components.js';
import type { Examples } from './examples.js';
import { exampleTenant, operationObject, responseObject } from './operation-object.js';

/** What this project decided about every operation, or about none in particular (docs/decisions.md). */
const generalDecisions = {
  textOrder: 'Text is ordered by code point, in every storage.',
  ids: 'An id has from 1 to 200 characters.',
  failureOrder:
    'Of several failures, the first of these is reported: an unknown path (404), the method (405), the credentials (401), the parameters (400), a finding that does not exist (404).',
  methods: 'HEAD is answered like GET without the body, OPTIONS with `Allow`, any other method with 405.',
  targets:
    'A request target with `#`, a backslash or an unencoded character that is not ASCII, or that begins with `//`, is answered 400.',
  host: 'A `Host` header that is missing, malformed or given twice is answered 400.',
  allowedHosts: 'A request for a host that the server is not to answer for is answered 421.',
  pipelining:
    'Requests that a client sends without waiting for responses are answered in order, one at a time.',
};

const mockControls = {
  Prefer:
    'Simulates a failure: `code=503`, `delay=1500` (milliseconds), `hang`, `drop`, `truncate`, `malformed` or, for lists, `empty`; several with commas between them.',
  'X-Triage-Explain':
    'With the value `1`, the response header `X-Triage-Explanation` tells whose list this is, and how many rows each filter has left.',
};

/**
 * The request headers by which a mock server simulates something. Only the document that such a server serves
 * has them: programs that are written against the API do not send them. They have no examples, because most
 * tools send those.
 */
const mockControlParameters: readonly JsonObject[] = Object.entries(mockControls).map(([name, text]) => ({
  name,
  in: 'header',
  required: false,
  description: `*A mock control, and no part of the API.* ${text}`,
  'x-triage-mock-control': true,
  schema: { type: 'string' },
}));

const description = `The read-only API of a service that scans repositories for vulnerable dependencies, triages what it finds, and
opens pull requests with fixes. Users only ever see their own data.

Every response is JSON. Every operation is a GET; HEAD returns the same without a body, OPTIONS returns \`Allow\`, and any other
method is answered 405. \`x-triage-other-answers\` has the responses to other requests.

Requests are authenticated by the session cookie, which the web pages \`/login\` and \`/signup\` set, or where an operation
accepts it by an API token, which a user mints at \`/settings/api-tokens\`. There is no separate token endpoint, and no other kind of
API key. Changes of authentication are announced in the changelog before they take effect.

The examples of parameters are of the tenant \`${exampleTenant.name}\` of the shipped fixtures. They work with the session
\`${exampleTenant.session}\` and the token \`${exampleTenant.token}\`.

The contract leaves some questions open. What this project decided there is marked *Our decision*, and for programs
\`x-triage-decision\`: a consumer that has to work with any server of this API should not rely on it. *Our decisions* that concern no
operation in particular, for programs \`x-triage-decisions\`:

${Object.values(generalDecisions)
  .map((decision) => `- ${decision}`)
  .join('\n')}`;

/**
 * The contract as an OpenAPI 3.1 document, with examples of real responses. Deterministic. `hasMockControls`:
 * whether it is that of a server which simulates failures on request.
 */
export const openApiDocument = (examples: Examples, hasMockControls = false): JsonObject => ({
  openapi: '3.1.1',
  info: {
    title: 'Dependency triage API',
    version: 'v1',
    summary: 'Connected repositories, triaged findings, fix pull requests.',
    description,
    contact: { name: 'The maintainers of triage-api' },
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/', description: 'The server that serves this document.' }],
  tags: Object.entries(tags).map(([name, text]) => ({ name, description: text })),
  paths: Object.fromEntries(
    Object.values(operations).map((operation) => [
      operation.path,
      {
        [operation.method.toLowerCase()]: operationObject(
          operation,
          examples.operations[operation.id] ?? {},
          hasMockControls ? mockControlParameters : [],
        ),
      },
    ]),
  ),
  components: components(examples),
  'x-triage-decisions': generalDecisions,
  'x-triage-other-answers': Object.fromEntries(
    Object.entries(otherResponses).map(([status, { body, ...facts }]) => [
      status,
      responseObject(facts, body, examples.others[status]),
    ]),
  ),
});
