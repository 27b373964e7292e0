import test from 'ava';
import * as io from 'io-ts';
import { described, listOf, nullable } from '../../src/contract/codecs/combinators.js';
import { operations } from '../../src/contract/operations.js';
import { Dataset } from '../../src/fixtures/dataset.js';
import { namedCodecs } from '../../src/openapi/components.js';
import { schemaOf } from '../../src/openapi/schema-of.js';

const Point = io.strict({ x: io.string }, 'Point');

test('a named codec becomes a reference', (t) => {
  const referenceTo = (codec: io.Mixed) => (codec === Point ? '#/Point' : null);
  t.deepEqual<unknown, unknown>(schemaOf(nullable(Point), referenceTo), {
    anyOf: [{ $ref: '#/Point' }, { type: 'null' }],
  });
  t.deepEqual<unknown, unknown>(schemaOf(described(Point, 'Where.'), referenceTo), {
    $ref: '#/Point',
    description: 'Where.',
  });
});

const unknown: readonly io.Mixed[] = [
  io.number,
  io.type({ a: io.string }),
  io.union([io.string, io.number]),
  io.unknown,
];

for (const codec of unknown) {
  test(`${codec.name} is refused, not guessed at`, (t) => {
    const message = `no JSON Schema is known for the codec ${codec.name}`;
    t.throws(() => schemaOf(codec), { instanceOf: TypeError, message });
    t.throws(() => schemaOf(io.strict({ list: listOf(nullable(codec)) })), { message });
  });
}

test('every codec of the contract and of fixtures has a schema', (t) => {
  const codecs: readonly io.Mixed[] = [
    Dataset,
    ...Object.values(namedCodecs),
    ...Object.values(operations).flatMap(({ pathParameters, queryParameters, responses }) => [
      pathParameters,
      queryParameters,
      ...Object.values(responses),
    ]),
  ];
  t.true(codecs.length > 40);
  for (const codec of codecs) t.notThrows(() => schemaOf(codec), codec.name);
});
