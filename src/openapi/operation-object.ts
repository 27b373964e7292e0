import type * as t from 'io-ts';
import { Described } from '../contract/codecs/described.js';
import type { Json } from '../contract/codecs/json-value.js';
import type { AnyOperation } from '../contract/operations.js';
import { responseDocs } from '../contract/response-docs.js';
import { decided } from './decided.js';
import type { ExamplesByStatus } from './examples.js';
import type { JsonObject } from './json.js';
import { exampleTenant } from './parameter-examples.js';
import { referenceTo } from './references.js';
import { responseObject } from './response-object.js';
import { mayBeLeftOut, schemaOf } from './schema-of.js';

type Parameters = Readonly<{ type: Readonly<{ props: t.Props }> }>;

/** An operation, whatever its parameters. */
type OperationWithParameters = AnyOperation &
  Readonly<{ pathParameters: Parameters; queryParameters: Parameters }>;

/** The OpenAPI object of an operation; `headers`: parameters that it has besides those of the contract. */
export const operationObject = (
  operation: OperationWithParameters,
  examples: ExamplesByStatus,
  parameterExamples: JsonObject,
  headers: readonly JsonObject[],
): JsonObject => {
  const { id, tag, purpose, rules, decisions, accepts, pathParameters, queryParameters } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary: purpose,
    description: [
      ...rules.map((rule) => `- ${rule}`),
      '\n*Our decisions*, since the contract is silent:\n',
      ...decisions.map((decision) => `- ${decision}`),
    ].join('\n'),
    'x-triage-decision': decisions.join(' '),
    security: accepts.map((credential) => ({ [credential]: [] })),
    parameters: [
      ...parametersOf('path', pathParameters.type.props, parameterExamples),
      ...parametersOf('query', queryParameters.type.props, parameterExamples),
      ...headers,
    ],
    responses: Object.fromEntries(responsesOf(operation.responses, examples)),
  };
};

const parametersOf = (place: 'path' | 'query', props: t.Props, examples: JsonObject): readonly JsonObject[] =>
  Object.entries(props).map(([name, codec]) => ({
    name,
    in: place,
    required: !mayBeLeftOut(codec),
    ...(codec instanceof Described
      ? {
          ...decided(`${codec.description} ${exampleNote}`, codec.decision),
          schema: schemaOf(codec.codec, referenceTo),
        }
      : { schema: schemaOf(codec, referenceTo) }),
    ...exampleObject(examples[name]),
  }));

const exampleNote = `The example is of the tenant \`${exampleTenant.name}\`.`;

/** One example, not several by name: that is what most tools read. */
const exampleObject = (example: Json | undefined): JsonObject =>
  example === undefined ? {} : { example, 'x-triage-example-tenant': exampleTenant.name };

/** The responses that the operation lists, and 304, which every operation can answer. */
const responsesOf = (
  bodies: Readonly<Record<string, t.Mixed>>,
  examples: ExamplesByStatus,
): readonly (readonly [string, JsonObject])[] =>
  Object.entries(responseDocs).flatMap(([status, facts]) => {
    const body = bodies[status];
    if (body === undefined && status !== notModified) return [];
    return [[status, responseObject(facts, body ?? null, examples[status] ?? [])]];
  });

const notModified = '304';
