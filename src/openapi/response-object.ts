import type * as t from 'io-ts';
import { type HeaderName, headerDocs } from '../contract/header-docs.js';
import type { ResponseDocs } from '../contract/response-docs.js';
import { decided } from './decided.js';
import type { Example } from './examples.js';
import type { JsonObject } from './json.js';
import { referenceTo } from './references.js';
import { schemaOf } from './schema-of.js';

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
