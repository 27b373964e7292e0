import { generalDecisions } from '../contract/general-decisions.js';
import { operations, tags } from '../contract/operations.js';
import { otherResponses } from '../contract/response-docs.js';
import { components } from './components.js';
import type { Examples } from './examples.js';
import type { JsonObject } from './json.js';
import { mockControlParameters } from './mock-control-parameters.js';
import { operationObject } from './operation-object.js';
import { exampleTenant, parameterExamples } from './parameter-examples.js';
import { responseObject } from './response-object.js';

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
          parameterExamples[operation.id] ?? {},
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
      responseObject(facts, body, examples.others[status] ?? []),
    ]),
  ),
});
