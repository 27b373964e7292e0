import type * as t from 'io-ts';
import type { JsonObject } from '../../common/json.js';
import { Described } from '../../contract/codecs/combinators.js';
import { ErrorBody } from '../../contract/error-bodies.js';
import { mayBeLeftOut, schemaOf } from '../../openapi/schema-of.js';
import type { AnyControl } from './control.js';

const description = `Simulate what goes wrong, move the clock and change the data, while the server runs. These controls are no part of
the API, and exist only where it is served from fixtures. They are open to programs on the machine of the server and to its own pages; everyone
else needs the token of \`--admin-token\`, and gets a 404 without it.`;

/** The controls as an OpenAPI document; `root`: below which path they are. */
export const controlsDocument = (controls: readonly AnyControl[], root: string): JsonObject => ({
  openapi: '3.1.1',
  info: {
    title: 'Mock controls',
    version: 'v1',
    summary: 'Faults, time, data, and a journal of requests.',
    description,
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: root, description: 'The server that serves this document.' }],
  tags: [...new Set(controls.map(({ tag }) => tag))].map((name) => ({ name })),
  security: [{}, { adminToken: [] }],
  paths: pathsOf(controls),
  components: {
    securitySchemes: {
      adminToken: {
        type: 'http',
        scheme: 'bearer',
        description: 'The token of `--admin-token`. Not needed on the machine of the server.',
      },
    },
    schemas: { Error: schemaOf(ErrorBody) },
  },
});

const pathsOf = (controls: readonly AnyControl[]): JsonObject => {
  const paths: Record<string, JsonObject> = {};
  for (const control of controls)
    paths[control.path] = {
      ...paths[control.path],
      [control.method.toLowerCase()]: describedControl(control),
    };
  return paths;
};

const describedControl = (control: AnyControl): JsonObject => {
  const { id, tag, summary, description: text, path, query, body, mediaTypes } = control;
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(text === undefined ? {} : { description: text }),
    parameters: [
      ...Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      })),
      ...Object.entries(query?.props ?? {}).map(([name, codec]) => queryParameter(name, codec)),
    ],
    ...(body && {
      requestBody: {
        required: true,
        content: Object.fromEntries(mediaTypes.map((type) => [type, { schema: schemaOf(body) }])),
      },
    }),
    responses: responsesOf(control),
  };
};

const queryParameter = (name: string, codec: t.Mixed): JsonObject => ({
  name,
  in: 'query',
  required: !mayBeLeftOut(codec),
  ...(codec instanceof Described
    ? { description: codec.description, schema: schemaOf(codec.codec) }
    : { schema: schemaOf(codec) }),
});

const responsesOf = ({ success, body, failures }: AnyControl): JsonObject => {
  const { status, description: text, codec } = success;
  const texts: Readonly<Record<string, string>> = {
    400: 'What was sent is not valid.',
    404: 'These controls are not open to this client, or there is no such thing.',
    ...(body && { 413: 'The body is too long.', 415: 'The body is of another media type.' }),
    ...failures,
  };
  const error = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  return {
    [status]: {
      description: text,
      ...(codec && { content: { 'application/json': { schema: schemaOf(codec) } } }),
    },
    ...Object.fromEntries(
      Object.entries(texts).map(([failure, when]) => [failure, { description: when, content: error }]),
    ),
  };
};
