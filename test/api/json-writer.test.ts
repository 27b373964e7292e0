import test from 'ava';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import * as io from 'io-ts';
import { jsonWriter } from '../../src/api/json-writer.js';
import { render } from '../../src/api/rendered.js';
import { Finding, FindingDetail } from '../../src/contract/finding.js';
import { Pr } from '../../src/contract/pr.js';
import { Repo } from '../../src/contract/repo.js';

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
      fc.property(fc.record({ ...fields, unknown: fc.string() }), (value) => {
        const expected = render(codec, Object(value));
        const json = write(value);
        t.is(json, E.isRight(expected) ? expected.right.json : null);
        if (json !== null) written += 1;
      }),
      { numRuns: 500 },
    );
    t.true(written > 50, 'valid values were among them');
  });
}

test('a codec with an unknown part is left to the codec', (t) => {
  t.is(jsonWriter(io.strict({ list: io.array(io.string) })), null);
  t.is(jsonWriter(io.strict({ a: io.union([io.string, io.number]) })), null);
  t.is(jsonWriter(io.type({ a: io.string })), null);
  const value: unknown[] = [];
  t.is(jsonWriter(io.strict({ a: io.string }))?.(value), null);
});
