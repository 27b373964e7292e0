import type * as t from 'io-ts';
import type { Json, JsonObject } from '../common/json.js';
import { Described } from '../contract/codecs/combinators.js';
import type { AnyOperation, operations } from '../contract/operations.js';
import { type HeaderName, headerDocs, type ResponseDocs, responseDocs } from '../contract/response-docs.js';
import { referenceTo } from './components.js';
import type { Example, ExamplesByStatus } from './examples.js';
import { decided, mayBeLeftOut, schemaOf } from './schema-of.js';

type Operations = typeof operations;
type ParametersOf<Op extends Operations[keyof Operations]> =
  | keyof Op['pathParameters']['type']['props']
  | keyof Op['queryParameters']['type']['props'];

/** The tenant of the shipped fixtures that has what the examples name, and its credentials. */
export const exampleTenant = {
  name: 'acme',
  session: 'acme-session',
  token: 'acme-token',
} as const;

const page = { page: 1, limit: 25, repoId: 'repo_storefront' };

const examples: {
  readonly [Id in keyof Operations]: Readonly<Record<ParametersOf<Operations[Id]>, Json>>;
} = {
  listConnectedRepos: {},
  listFindings: { ...page, severity: 'high', status: 'drafting' },
  getFinding: { id: 'fix_0001' },
  listPrs: { ...page, status: 'open' },
};

/**
 * An example of each parameter, by operation id. Together, those of one operation make a request that is
 * answered 200 with at least one row, because most tools send all of them at once. A test sends these
 * requests.
 */
export const parameterExamples: Readonly<Record<string, JsonObject>> = examples;

/** The OpenAPI object of a response; `body` is null if it has none. */
export const responseObject = (
  { description, decision, headers, mayHave }: ResponseDocs,
  body: t.Mixed | null,
  examples: readonly Example[],
): JsonObject => ({
  ...decided(description, decision),
  headers: Object.fromEntries([
    ...headers.map((name) => [name, headerObject(name, true, examples)]),
    ...mayHave.map((name) => [name, headerObject(name, false, examples)]),
  ]),
  ...(body === null ? {} : { content: { 'application/json': mediaType(body, examples) } }),
});

const headerObject = (name: HeaderName, required: boolean, examples: readonly Example[]): JsonObject => {
  const { codec, description, decision } = headerDocs[name];
  const schema = schemaOf(codec);
  const example = examples.flatMap(({ headers }) => headers[name] ?? [])[0];
  return {
    ...decided(description, decision),
    required,
    schema,
    ...(example === undefined ? {} : { example: schema.type === 'integer' ? Number(example) : example }),
  };
};

const mediaType = (body: t.Mixed, examples: readonly Example[]): JsonObject => ({
  schema: schemaOf(body, referenceTo),
  ...(examples.length === 0
    ? {}
    : {
        examples: Object.fromEntries(
          examples.map(({ key, title, request, body: value }) => [
            key,
            { summary: title, description: `The answer to \`${request}\`.`, value },
          ]),
        ),
      }),
});

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
