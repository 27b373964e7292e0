import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { PageInfo } from '../../src/contract/page-and-limit.js';
import { readFixtures, shippedFixtures } from '../../src/fixtures/read-fixtures.js';
import { namedCodecs } from '../../src/openapi/components.js';
import { openApiDocument } from '../../src/openapi/document.js';
import { readExamples } from '../../src/openapi/examples.js';
import { cookie, serve } from '../_server.js';

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
