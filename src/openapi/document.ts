import { operations, tags } from '../contract/operations.js';
import { otherResponses } from '../contract/response-docs.js';
import type { JsonObject } from '../json-schema/json.js';
import { components } from './components.js';
import type { Examples } from './example.js';
import { operationObject } from './operation-object.js';
import { responseObject } from './response-object.js';

const description = `The read-only API of a service that scans repositories for vulnerable dependencies, triages what it finds, and
opens pull requests with fixes. It shows to each user what is theirs, and nothing else.

Every answer is JSON. Every operation is a GET; HEAD answers likewise without the body, OPTIONS with \`Allow\`, and any other
method is answered 405. What other requests are answered stands under \`x-triage-other-answers\`.

The contract leaves some questions open. What this software decided there is marked with *Our decision*, and for programs
with \`x-triage-decision\`: a consumer that wants to work with any server of this API should not rely on it.`;

/** The contract as an OpenAPI 3.1 document, with examples of what the server answers. The same bytes each time. */
export const openApiDocument = (examples: Examples): JsonObject => ({
  openapi: '3.1.1',
  info: {
    title: 'Dependency triage API',
    version: 'v1',
    summary: 'Connected repositories, triaged findings, fix pull requests.',
    description,
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/', description: 'The server that this document comes from.' }],
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
