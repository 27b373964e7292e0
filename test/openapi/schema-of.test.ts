import test from 'ava';
import * as io from 'io-ts';
import {
  BoundedList,
  described,
  listOf,
  nullable,
  optional,
  optionalList,
} from '../../src/contract/codecs/combinators.js';
import { StrictObject } from '../../src/contract/codecs/strict-object.js';
import {
  branded,
  Count,
  Email,
  FiniteNumber,
  Identifier,
  Integer,
  integerFrom,
  SecretString,
  Text,
} from '../../src/contract/codecs/text-and-numbers.js';
import { Timestamp } from '../../src/contract/codecs/timestamp.js';
import { Severity } from '../../src/contract/enums.js';
import { operations } from '../../src/contract/operations.js';
import { QueryInteger } from '../../src/contract/page-and-limit.js';
import { Dataset } from '../../src/fixtures/dataset.js';
import { namedCodecs } from '../../src/openapi/components.js';
import { schemaOf } from '../../src/openapi/schema-of.js';

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
  [Count, { type: 'integer', minimum: 0 }],
  [integerFrom(1, 9), { type: 'integer', minimum: 1, maximum: 9 }],
  [new BoundedList(io.string, 3), { type: 'array', items: { type: 'string' }, maxItems: 3 }],
  [FiniteNumber, { type: 'number' }],
  [new QueryInteger('n', 25, 100), { type: 'integer', minimum: 1, maximum: 100, default: 25 }],
  [io.literal('x'), { const: 'x' }],
  [Severity, severities],
  [Text, { type: 'string', maxLength: 100_000 }],
  [Identifier, { type: 'string', minLength: 1, maxLength: 200 }],
  [Email, { type: 'string', format: 'email', maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+$' }],
  [
    Timestamp,
    { type: 'string', format: 'date-time', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' },
  ],
  [branded('b', { maxLength: 3 }), { type: 'string', maxLength: 3 }],
  [new SecretString('s', { minLength: 8 }), { type: 'string', minLength: 8 }],
  [nullable(io.string), { type: ['string', 'null'] }],
  [nullable(Severity), { anyOf: [severities, { type: 'null' }] }],
  [listOf(io.string), { type: 'array', items: { type: 'string' } }],
  [optionalList(io.string), { type: 'array', items: { type: 'string' } }],
  [Point, point],
  [new StrictObject({ x: io.string }, 'closed'), point],
  [
    io.strict({
      a: optional(io.string),
      b: described(optionalList(io.string), 'Some.'),
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
