import test from 'ava';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import * as io from 'io-ts';
import { nullable } from '../../../src/contract/codecs/combinators.js';
import { Finding, FindingDetail } from '../../../src/contract/finding.js';
import { pageOf } from '../../../src/contract/page-and-limit.js';
import { Pr } from '../../../src/contract/pr.js';
import { Repo } from '../../../src/contract/repo.js';
import { jsonWriter } from '../../../src/http/operations/json-writer.js';
import { render } from '../../../src/http/operations/rendered.js';
import { runs } from '../../_runs.js';

const codecs = { Finding, FindingDetail, Pr, Repo };

/** Texts, valid and invalid values of every kind that fields have. */
const anyField = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '\ud800',
    '"\\\n',
    '',
    'high',
    'pending',
    '2026-11-20T12:00:00.000Z',
    '2026-02-30T12:00:00.000Z',
  ),
  fc.double(),
  fc.integer(),
  fc.constantFrom(-0, 1e21, Number.MAX_SAFE_INTEGER + 2, true, false, null, undefined),
  fc.constant({ owner: 'o', repo: 'r' }),
);

/** A value of a kind that a codec accepts in most of its fields. */
const likely = (codec: io.Mixed): fc.Arbitrary<unknown> => {
  const valid = fc.constantFrom<unknown>(
    ...['some text', '2026-11-20T12:00:00.000Z', 'high', 'pending', 7, true, null].filter(codec.is),
  );
  return fc.oneof({ weight: 60, arbitrary: valid }, { weight: 1, arbitrary: anyField });
};

/** Puts the keys of an object in another order, leaves it alone, or adds one. */
const anyOrder = fc.constantFrom<(value: Readonly<Record<string, unknown>>) => unknown>(
  (value) => value,
  (value) => Object.fromEntries(Object.entries(value).toReversed()),
  (value) => ({ unknown: 1, ...value }),
  (value) => ({ ...value, unknown: 1 }),
  (value) => Object.assign(Object.create(null), value),
);

for (const [name, codec] of Object.entries(codecs)) {
  test(`${name} is written as it is decoded, encoded and serialised, or not at all`, (t) => {
    const write = jsonWriter(codec) ?? t.fail();
    const fields = Object.fromEntries(
      Object.entries<io.Mixed>(codec.type.props).map(([key, of]) => [
        key,
        key === 'repo' && name === 'Pr'
          ? fc.oneof(fc.record({ owner: fc.string(), repo: fc.string(), more: fc.string() }), anyField)
          : key === 'lastScan'
            ? fc.oneof(fc.constant(null), anyField)
            : likely(of),
      ]),
    );
    let written = 0;
    fc.assert(
      fc.property(fc.record(fields), anyOrder, (value, order) => {
        const expected = render(codec, Object(value));
        const json = write(order(value));
        t.is(json, E.isRight(expected) ? expected.right.json : null);
        if (json !== null) written += 1;
      }),
      runs(),
    );
    t.true(written > 50, 'valid values were among them');
  });
}

test('a page is written as it is decoded, encoded and serialised, however long it is', (t) => {
  const Item = io.strict({ text: io.string, or: nullable(io.string) }, 'Item');
  const codec = pageOf(Item);
  const write = jsonWriter(codec) ?? t.fail();
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc
      .tuple(fc.string(), fc.constantFrom(1, 100, 20_000, 300_000))
      .map(([some, times]) => some.repeat(times)),
  );
  const item = fc.record({ text, or: fc.oneof(text, fc.constant(null)) });
  const items = fc.array(fc.oneof({ weight: 20, arbitrary: item }, { weight: 1, arbitrary: anyField }));
  const figures = fc.record({
    page: fc.nat(),
    limit: fc.integer({ min: 0, max: 101 }),
    totalItems: fc.nat(),
    totalPages: fc.nat(),
  });
  fc.assert(
    fc.property(items, figures, (list, info) => {
      const expected = render(codec, Object({ items: list, ...info }));
      t.true(write({ items: list, ...info }) === (E.isRight(expected) ? expected.right.json : null));
    }),
    runs(),
  );
  const sparse = new Array(2);
  const [few, many] = [100, 101].map((length) => Array.from({ length }, () => ({ text: 'a', or: null })));
  const info = { page: 1, limit: 100, totalItems: 101, totalPages: 2 };
  t.is(write({ items: few, ...info }), JSON.stringify({ items: few, ...info }));
  t.is(write({ items: many, ...info }), null, 'more than a page holds');
  t.is(write({ items: sparse, page: 1, limit: 1, totalItems: 1, totalPages: 1 }), null);
  t.is(write({ items: 'none', page: 1, limit: 1, totalItems: 1, totalPages: 1 }), null);
});

test('every length around that of the output is written in full', (t) => {
  const write = jsonWriter(io.strict({ text: io.string, word: io.keyof({ word: null }) })) ?? t.fail();
  for (let length = 16_300; length < 16_500; length += 1) {
    const value = { text: 'x'.repeat(length), word: 'word' };
    t.is(jsonWriter(io.string)?.(value.text), JSON.stringify(value.text));
    t.is(write(value), JSON.stringify(value));
  }
});

test('a codec with an unknown part is left to the codec', (t) => {
  t.is(jsonWriter(io.strict({ list: io.array(io.string) })), null);
  t.is(jsonWriter(io.strict({ a: io.union([io.string, io.number]) })), null);
  t.is(jsonWriter(io.type({ a: io.string })), null);
  t.is(jsonWriter(io.strict({ é: io.string })), null);
  t.is(jsonWriter(io.keyof({ é: null })), null);
  const value: unknown[] = [];
  t.is(jsonWriter(io.strict({ a: io.string }))?.(value), null);
});
