import type * as t from 'io-ts';
import type { JsonObject } from '../common/json.js';
import { Described } from '../contract/codecs/combinators.js';
import type { AnyOperation } from '../contract/operations.js';
import { type HeaderName, headerDocs, type ResponseDocs, responseDocs } from '../contract/response-docs.js';
import { referenceTo } from './components.js';
import type { Example, Examples } from './examples.js';
import { decided, defined, mayBeLeftOut, schemaOf } from './schema-of.js';

/** The tenant of the shipped fixtures that has what the examples name, and its credentials. */
export const exampleTenant = { name: 'acme', session: 'acme-session', token: 'acme-token' } as const;

/** The OpenAPI object of an operation; `headers`: parameters that it has besides those of the contract. */
export const operationObject = (
  { id, tag, purpose, rules, decisions, accepts, pathParameters, queryParameters, responses }: AnyOperation,
  { operations: examples }: Examples,
  headers: readonly JsonObject[],
): JsonObject => {
  // Every operation can answer 304, without a body.
  const bodies: Readonly<Record<number, t.Mixed | null>> = { ...responses, 304: null };
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
      ...parameterObjects('path', pathParameters.type.props),
      ...parameterObjects('query', queryParameters.type.props),
      ...headers,
    ],
    responses: Object.fromEntries(
      Object.entries(responseDocs).flatMap(([status, docs]) => {
        const body = bodies[Number(status)];
        if (body === undefined) return [];
        return [[status, responseObject(docs, body, examples[id]?.[status], ['X-Triage-Warning'])]];
      }),
    ),
  };
};

const exampleNote = `The example is of the tenant \`${exampleTenant.name}\`.`;

const parameterObjects = (place: 'path' | 'query', props: t.Props): readonly JsonObject[] =>
  Object.entries(props).map(([name, codec]) => {
    if (!(codec instanceof Described)) throw new TypeError(`the parameter ${name} is not described`);
    const { description, decision, example } = codec;
    return {
      name,
      in: place,
      required: !mayBeLeftOut(codec),
      ...decided(`${description} ${exampleNote}`, decision),
      schema: schemaOf(codec.codec, referenceTo),
      // One example, not several by name: that is what most tools read.
      example,
      'x-triage-example-tenant': exampleTenant.name,
    };
  });

export const responseObject = (
  { description, decision, headers }: ResponseDocs,
  body: t.Mixed | null,
  examples: readonly Example[] = [],
  mayHave: readonly HeaderName[] = [],
): JsonObject => ({
  ...decided(description, decision),
  headers: Object.fromEntries(
    [...headers, ...mayHave].map((name) => [name, headerObject(name, headers.includes(name), examples)]),
  ),
  ...(body === null ? {} : { content: { 'application/json': mediaType(body, examples) } }),
});

const headerObject = (name: HeaderName, required: boolean, examples: readonly Example[]): JsonObject => {
  const { codec, description, decision } = headerDocs[name];
  const schema = schemaOf(codec);
  const text = examples.find(({ headers }) => headers[name] !== undefined)?.headers[name];
  const example = text !== undefined && schema.type === 'integer' ? Number(text) : text;
  return { ...decided(description, decision), required, schema, ...defined({ example }) };
};

const mediaType = (body: t.Mixed, examples: readonly Example[]): JsonObject => {
  const schema = schemaOf(body, referenceTo);
  if (examples.length === 0) return { schema };
  const entries = examples.map(({ key, title: summary, request, body: value }) => {
    return [key, { summary, description: `The answer to \`${request}\`.`, value }];
  });
  return { schema, examples: Object.fromEntries(entries) };
};
