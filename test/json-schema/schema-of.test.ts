import test from 'ava';
import * as io from 'io-ts';
import { namedCodecs } from '../../src/contract/named-codecs.js';
import { operations } from '../../src/contract/operations.js';
import { schemaOf } from '../../src/json-schema/schema-of.js';
import { Dataset } from '../../src/records/dataset.js';
import { branded } from '../../src/vocabulary/branded.js';
import { Closed } from '../../src/vocabulary/closed.js';
import { described } from '../../src/vocabulary/described.js';
import { listOf, listOrNone } from '../../src/vocabulary/lists.js';
import { nullable } from '../../src/vocabulary/nullable.js';
import { FiniteNumber, Integer } from '../../src/vocabulary/numbers.js';
import { optional } from '../../src/vocabulary/optional.js';
import { Secret } from '../../src/vocabulary/secret.js';
import { Email, Identifier, Text } from '../../src/vocabulary/text.js';
import { Timestamp } from '../../src/vocabulary/timestamp.js';
import { WholeNumber } from '../../src/vocabulary/whole-number.js';
import { Severity } from '../../src/vocabulary/words.js';

const Point = io.strict({ x: io.string }, 'Point');
const point = {
  type: 'object',
  properties: { x: { type: 'string' } },
  required: ['x'],
  additionalProperties: false,
};
const severities = { type: 'string', enum: ['critical', 'high', 'medium', 'low'] };

const table: readonly (readonly [codec: io.Mixed, schema: object])[] = [
  [io.string, { type: 'string' }],
  [io.boolean, { type: 'boolean' }],
  [Integer, { type: 'integer' }],
  [FiniteNumber, { type: 'number' }],
  [new WholeNumber('n', 25, 100), { type: 'integer', minimum: 1, maximum: 100, default: 25 }],
  [io.literal('x'), { const: 'x' }],
  [Severity, severities],
  [Text, { type: 'string' }],
  [Identifier, { type: 'string', minLength: 1, maxLength: 200 }],
  [Email, { type: 'string', format: 'email', maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+$' }],
  [
    Timestamp,
    { type: 'string', format: 'date-time', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' },
  ],
  [branded('b', { maxLength: 3 }), { type: 'string', maxLength: 3 }],
  [new Secret('s', { minLength: 8 }), { type: 'string', minLength: 8 }],
  [nullable(io.string), { type: ['string', 'null'] }],
  [nullable(Severity), { anyOf: [severities, { type: 'null' }] }],
  [listOf(io.string), { type: 'array', items: { type: 'string' } }],
  [listOrNone(io.string), { type: 'array', items: { type: 'string' } }],
  [Point, point],
  [new Closed({ x: io.string }, 'closed'), point],
  [
    io.strict({
      a: optional(io.string),
      b: described(listOrNone(io.string), 'Some.'),
      c: described(nullable(Integer), 'How many.', 'Null: nobody knows.'),
    }),
    {
      type: 'object',
      properties: {
        a: { type: 'string' },
        b: { type: 'array', items: { type: 'string' }, description: 'Some.' },
        c: {
          type: ['integer', 'null'],
          description: 'How many. *Our decision:* Null: nobody knows.',
          'x-triage-decision': 'Null: nobody knows.',
        },
      },
      required: ['c'],
      additionalProperties: false,
    },
  ],
];

for (const [codec, schema] of table) {
  test(`the schema of ${codec.constructor.name} ${codec.name} is ${JSON.stringify(schema)}`, (t) =>
    t.deepEqual<object, object>(schemaOf(codec), schema));
}

test('what has a name is referred to', (t) => {
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
