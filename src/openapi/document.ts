import type { JsonObject } from '../common/json.js';
import { operations, tags } from '../contract/operations.js';
import { generalDecisions, otherResponses } from '../contract/response-docs.js';
import { components } from './components.js';
import type { Examples } from './examples.js';
import { exampleTenant, operationObject, responseObject } from './operation-object.js';

/**
 * The request header by which a mock server simulates something, which only its own document has. It has no
 * example, because most tools send those.
 */
const mockControlParameter: JsonObject = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description:
    '*A mock control, and no part of the API.* Simulates a failure: `code=502` (400 to 599, or from 300 with `location`), `delay=1500` (milliseconds), `bytesPerSecond=500`, `hang`, `drop`, `truncate`, `cut`, `malformed`, `gateway`, `timeout`, `forbidden`, `maintenance` or, for lists, `empty`. Several have commas between them.',
  'x-triage-mock-control': true,
  schema: { type: 'string' },
};

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
 * The contract as an OpenAPI 3.1 document. `hasMockControls`: the server simulates failures on request.
 * `basePath`: what comes before the paths, such as `/mock`.
 */
export const openApiDocument = (
  examples: Examples,
  { hasMockControls = false, basePath = '' } = {},
): JsonObject => ({
  openapi: '3.1.1',
  info: {
    title: 'Dependency triage API',
    version: 'v1',
    summary: 'Connected repositories, triaged findings, fix pull requests.',
    description,
    contact: { name: 'The maintainers of triage-api' },
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: basePath || '/', description: 'The server that serves this document.' }],
  tags: Object.entries(tags).map(([name, text]) => ({ name, description: text })),
  paths: Object.fromEntries(
    Object.values(operations).map((operation) => [
      operation.path,
      { get: operationObject(operation, examples, hasMockControls ? [mockControlParameter] : []) },
    ]),
  ),
  components: components(examples),
  'x-triage-decisions': generalDecisions,
  'x-triage-other-answers': Object.fromEntries(
    Object.entries(otherResponses).map(([status, docs]) => [
      status,
      responseObject(docs, docs.body, examples.others[status]),
    ]),
  ),
});
