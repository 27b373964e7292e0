import test from 'ava';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import * as io from 'io-ts';
import { described } from '../../src/codecs/described.js';
import { keepsValues } from '../../src/codecs/keeps-values.js';
import { listOf, optionalList } from '../../src/codecs/list.js';
import { nullable } from '../../src/codecs/nullable.js';
import { Integer } from '../../src/codecs/numbers.js';
import { optional } from '../../src/codecs/optional.js';
import { QueryInteger } from '../../src/codecs/query-integer.js';
import { SecretString } from '../../src/codecs/secret-string.js';
import { StrictObject } from '../../src/codecs/strict-object.js';
import { Text } from '../../src/codecs/text.js';
import { Timestamp } from '../../src/codecs/timestamp.js';
import { UtcTime } from '../../src/codecs/utc-time.js';
import { ApiTokenSeed } from '../../src/records/api-token.js';
import { FixDraftRecord } from '../../src/records/fix-draft.js';
import { PullRequestRecord } from '../../src/records/pull-request.js';
import { RepoRecord } from '../../src/records/repo.js';
import { ScanRecord } from '../../src/records/scan.js';
import { SessionSeed } from '../../src/records/session.js';
import { UserSeed } from '../../src/records/user.js';
import { aDraft, aPullRequest, aRepo, aScan, aSession, aToken, aUser } from '../_data.js';

test('a codec keeps values unless it converts them, strips keys or is unknown', (t) => {
  const converting = new QueryInteger('count', 1, 9);
  for (const codec of [
    Text,
    Timestamp,
    Integer,
    new SecretString('password', {}),
    io.boolean,
    io.keyof({ a: null }),
    described(nullable(optional(Text)), 'x'),
    listOf(new StrictObject({ a: optionalList(Text) }, 'A')),
  ])
    t.true(keepsValues(codec), codec.name);
  for (const codec of [
    converting,
    UtcTime,
    io.strict({ a: io.string }),
    io.union([io.string, io.number]),
    described(nullable(optional(converting)), 'x'),
    listOf(new StrictObject({ a: optionalList(io.strict({})) }, 'A')),
  ])
    t.false(keepsValues(codec), codec.name);
});

/** The same codec as one of a class that is not known to keep values, so that nothing is quick about it. */
const unknownClass = (codec: io.Mixed): io.Mixed =>
  new io.Type(codec.name, codec.is, codec.validate, codec.encode);

type ObjectCodec = io.Mixed & Readonly<{ props: io.Props }>;

/** The codec of an object, without the quick check. */
const slowly = (codec: ObjectCodec): io.Mixed =>
  new StrictObject(
    Object.fromEntries(Object.entries(codec.props).map(([key, prop]) => [key, unknownClass(prop)])),
    codec.name,
  );

const rows: readonly (readonly [ObjectCodec, Readonly<Record<string, unknown>>])[] = [
  [FixDraftRecord, aDraft('d', 'r')],
  [PullRequestRecord, aPullRequest('p', 'd')],
  [ScanRecord, aScan('s', 'r')],
  [RepoRecord, aRepo('r')],
  [SessionSeed, aSession('v')],
  [ApiTokenSeed, aToken('t')],
  [UserSeed, aUser('u')],
  [new StrictObject({ a: optional(Text), b: optionalList(Text) }, 'thing'), { a: 'x', b: ['y'] }],
];

const anyValue = fc.oneof(
  fc.anything(),
  fc.constantFrom(undefined, null, '', 'a\0b', '\ud83d', '2026-02-31T00:00:00.000Z', Number.NaN, 'low'),
);

/** Changes of a valid row: fields replaced, left out, added and in another order. */
const changed = (valid: Readonly<Record<string, unknown>>): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .tuple(
      fc.shuffledSubarray(Object.entries(valid), { minLength: Object.keys(valid).length - 1 }),
      fc.dictionary(fc.oneof(fc.constantFrom(...Object.keys(valid)), fc.string()), anyValue, { maxKeys: 1 }),
    )
    .map(([entries, over]) => ({ ...Object.fromEntries(entries), ...over }));

const errorOf = ({ context, message, value }: io.ValidationError) => ({
  path: context.map(({ key }) => key).join('/'),
  expected: context.at(-1)?.type.name,
  message,
  value,
});

/** What a codec says of a value; a value that was kept is told from an equal one. */
const verdict = (codec: io.Mixed, value: unknown) => {
  const decoded = codec.decode(value);
  return {
    is: codec.is(value),
    errors: E.isLeft(decoded) ? decoded.left.map(errorOf) : [],
    isKept: E.isRight(decoded) && decoded.right === value,
    value: E.isRight(decoded) ? decoded.right : undefined,
  };
};

for (const [codec, valid] of rows) {
  test(`the quick check of a ${codec.name} agrees with io-ts`, (t) => {
    const slow = slowly(codec);
    fc.assert(
      fc.property(fc.oneof(changed(valid), anyValue), (value) => {
        t.deepEqual(verdict(codec, value), verdict(slow, value));
      }),
    );
    t.true(verdict(codec, valid).isKept);
  });

  test(`the quick check of a list agrees with io-ts, for a list of ${codec.name}`, (t) => {
    const [quick, slow] = [listOf(codec), io.readonlyArray(slowly(codec), `array of ${codec.name}`)];
    fc.assert(
      fc.property(fc.array(fc.oneof(changed(valid), fc.constant(valid), anyValue)), (value) => {
        t.deepEqual(verdict(quick, value), verdict(slow, value));
      }),
    );
    t.true(verdict(quick, [valid, valid]).isKept);
  });
}

test('a hole in an array is a missing value', (t) => {
  const holes: unknown[] = [];
  holes.length = 1;
  t.deepEqual(
    verdict(listOf(Text), holes).errors.map(({ path }) => path),
    ['/0'],
  );
});
