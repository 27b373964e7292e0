import { operations, tags } from '../contract/operations.js';
import { otherResponses } from '../contract/response-docs.js';
import type { JsonObject } from '../json-schema/json.js';
import { components } from './components.js';
import type { Examples } from './examples.js';
import { operationObject } from './operation-object.js';
import { responseObject } from './response-object.js';

const description = `The read-only API of a service that scans repositories for vulnerable dependencies, triages what it finds, and
opens pull requests with fixes. Users only ever see their own data.

Every response is JSON. Every operation is a GET; HEAD returns the same without a body, OPTIONS returns \`Allow\`, and any other
method is answered 405. \`x-triage-other-answers\` has the responses to other requests.

The contract leaves some questions open. What this project decided there is marked *Our decision*, and for programs
\`x-triage-decision\`: a consumer that has to work with any server of this API should not rely on it.`;

/** The contract as an OpenAPI 3.1 document, with examples of real responses. Deterministic. */
export const openApiDocument = (examples: Examples): JsonObject => ({
  openapi: '3.1.1',
  info: {
    title: 'Dependency triage API',
    version: 'v1',
    summary: 'Connected repositories, triaged findings, fix pull requests.',
    description,
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/', description: 'The server that serves this document.' }],
  tags: Object.entries(tags).map(([name, text]) => ({ name, description: text })),
  paths: Object.fromEntries(
    Object.values(operations).map((operation) => [
      operation.path,
      {
        [operation.method.toLowerCase()]: operationObject(operation, examples.operations[operation.id] ?? {}),
      },
    ]),
  ),
  components,
  'x-triage-other-answers': Object.fromEntries(
    Object.entries(otherResponses).map(([status, { body, ...facts }]) => [
      status,
      responseObject(facts, body, examples.others[status] ?? []),
    ]),
  ),
});
