import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { operations } from '../../src/contract/operations.js';
import { PageInfo } from '../../src/contract/page-and-limit.js';
import { readFixtures, shippedFixtures } from '../../src/fixtures/read-fixtures.js';
import { namedCodecs } from '../../src/openapi/components.js';
import { openApiDocument } from '../../src/openapi/document.js';
import { readExamples } from '../../src/openapi/examples.js';
import { exampleTenant } from '../../src/openapi/operation-object.js';
import { bearer, cookie, serve } from '../_server.js';

const { components } = JSON.parse(JSON.stringify(openApiDocument(readExamples())));

/** The fields of the named schemas that are objects with text or numbers in them, with their codecs. */
const fields = Object.entries(namedCodecs).flatMap(([name, codec]) =>
  codec instanceof t.ExactType && codec.type instanceof t.InterfaceType && !/Body$|List$/.test(name)
    ? Object.entries<t.Mixed>(codec.type.props).map(([field, of]) => ({
        name: `${name}.${field}`,
        codec: of,
        schema: components.schemas[name].properties[field],
      }))
    : [],
);

test('each field of text or a number has example values, which its codec accepts', (t) => {
  const without = fields.filter(({ schema }) => schema.examples === undefined).map(({ name }) => name);
  t.deepEqual(
    without.filter((name) => !/\.(isDemoRow|hasOpenFixPr|hasCodemod|lastScan|repo|items)$/.test(name)),
    [],
  );
  t.true(fields.length > 60);
  for (const { name, codec, schema } of fields) {
    for (const value of schema.examples ?? []) t.true(E.isRight(codec.decode(value)), `${name} ${value}`);
  }
});

test('generators with faker choose from the same values', (t) => {
  for (const { name, schema } of fields) {
    t.deepEqual(schema['x-faker'], schema.examples && { 'helpers.arrayElement': [schema.examples] }, name);
  }
});

test('schemas that others share have no hint for faker, because tools that resolve references would lose it', (t) => {
  for (const name of ['Timestamp', 'Severity', 'FindingStatus'])
    t.false('x-faker' in components.schemas[name], name);
});

test('the typical page is the first one of the tenant boundary', async (t) => {
  const fixtures = await readFixtures(shippedFixtures);
  const datasets = E.isRight(fixtures) ? fixtures.right.map(({ dataset }) => dataset) : [];
  const { ask } = await serve(t, datasets);
  const { body } = await ask('/api/v1/findings?limit=100', cookie('boundary-session'));
  for (const [name, { example }] of Object.entries(PageInfo.type.props))
    t.is(Object(body)[name], example, name);
});

type Parameter = Readonly<{ name: string; in: string; example?: unknown; description: string }>;

const document = JSON.parse(JSON.stringify(openApiDocument(readExamples())));

const parameterCounts = new Map(
  Object.entries({ listConnectedRepos: 0, listFindings: 5, getFinding: 1, listPrs: 4 }),
);

/** The request that a tool makes of an operation when it sends every example. */
const targetOf = (path: string, parameters: readonly Parameter[]): string => {
  const of = (place: string): readonly Parameter[] => parameters.filter((each) => each.in === place);
  const filled = of('path').reduce(
    (target, { name, example }) => target.replace(`{${name}}`, encodeURIComponent(String(example))),
    path,
  );
  const query = new URLSearchParams(
    Object.fromEntries(of('query').map(({ name, example }) => [name, String(example)])),
  );
  return query.size === 0 ? filled : `${filled}?${query}`;
};

for (const { id, path, accepts } of Object.values(operations)) {
  const { parameters, security } = document.paths[path].get;

  test(`each parameter of ${id} has an example, which names its tenant`, (t) => {
    t.is(parameters.length, parameterCounts.get(id));
    for (const parameter of parameters) {
      t.true('example' in parameter, parameter.name);
      t.is(parameter['x-triage-example-tenant'], exampleTenant.name, parameter.name);
      t.true(parameter.description.includes(`tenant \`${exampleTenant.name}\``), parameter.name);
    }
  });

  test(`the examples of ${id} make a request that is answered 200, with a row`, async (t) => {
    const fixtures = await readFixtures(shippedFixtures);
    const { ask } = await serve(t, E.isRight(fixtures) ? fixtures.right.map(({ dataset }) => dataset) : []);
    const credentials = [cookie(exampleTenant.session), bearer(exampleTenant.token)];
    const accepted = credentials.slice(0, security.length);
    t.is(accepted.length, accepts.length);
    for (const init of accepted) {
      const { status, body } = await ask(targetOf(path, parameters), init);
      t.is(status, 200);
      const { items, id: own } = Object(body);
      const rows: unknown = Array.isArray(body) ? body : own === undefined ? items : [body];
      t.true(Array.isArray(rows) && rows.length > 0);
    }
  });
}

test('the document says whose the examples are', (t) => {
  for (const value of Object.values(exampleTenant))
    t.true(document.info.description.includes(`\`${value}\``));
});
