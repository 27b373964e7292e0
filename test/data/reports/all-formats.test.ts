import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { assembleTenant } from '../../../src/data/reports/assemble-tenant.js';
import { ImportSummary } from '../../../src/data/reports/import-summary.js';
import { allFormats, readReport } from '../../../src/data/reports/read-report.js';
import { Part } from '../../../src/data/reports/report.js';
import { validateDataset } from '../../../src/fixtures/validate-dataset.js';
import { column } from '../../_data.js';
import { runs } from '../../_runs.js';
import { asOf, bytesOf, imported } from './_imported.js';
import { samples } from './_samples.js';

test('there is a sample of every format, which no other one takes, and none throws for any value', (t) => {
  t.deepEqual(Object.keys(samples).sort(), allFormats.map(({ name }) => name).sort());
  for (const [name, content] of Object.entries(samples)) {
    t.deepEqual(imported({ file: 'a.json', content }).summary.files[0]?.formats, [name]);
    const document = new Part(content);
    const taking = allFormats.filter(({ recognizes }) => recognizes(document));
    t.deepEqual(column(taking, 'name'), [name]);
  }
  for (const value of [null, 1, '', true, [null], { vulnerabilities: [] }, { results: 1 }])
    for (const { name, recognizes, entries, repos, scannedAt } of allFormats) {
      const document = new Part(value);
      t.false(recognizes(document), `${name}: ${JSON.stringify(value)}`);
      t.notThrows(() => [entries(document), repos?.(document), scannedAt?.(document)], name);
    }
});

/** How a value is changed: at the place with this number, in this way. */
type Mutation = Readonly<{ at: number; how: 'delete' | 'replace' | 'copy'; value: unknown }>;

/** Values that converters do not expect: of other types, of great length, with names of prototypes. */
const hostile: readonly unknown[] = [
  ...[null, true, 0, -1, 1e308, '', ' ', 'x'.repeat(5000), 'a\u0000b', '\ud800', '__proto__', 'constructor'],
  ...['GHSA-aaaa-bbbb-cccc', 'CVE-2020-0001', '9999-99-99T99:99:99Z', '9999-12-31T23:59:59-23:59'],
  ...['>= || || <', '\u202e"\n\r', '../..', 'pkg:npm/%E0%A4%A', 'pkg:npm/a%00b@1%00', 'pkg:deb/%00/a@1'],
  'Package: a\u0000b\nInstalled Version: 1\u0000\nFixed Version: 2\ud800',
  'Package: a\nInstalled Version: 1\u0000\nFixed Version: 2\ud800\nType: \u0000',
  "Package 'a@\u0000' is vulnerable to 'CVE-2020-0001'",
  'Upgrade a to version 1.2, 3.4',
  ...[[], {}, [[]], [null], [{}], { id: 1 }, { __proto__: null, constructor: 'x', toString: 1 }],
  JSON.parse('{"__proto__": {"package": "x"}, "hasOwnProperty": 1}'),
];

const mutations: fc.Arbitrary<readonly Mutation[]> = fc.array(
  fc.record({
    at: fc.nat(100_000),
    how: fc.constantFrom('delete', 'replace', 'replace', 'copy'),
    value: fc.oneof(fc.constantFrom(...hostile), fc.jsonValue({ maxDepth: 2 })),
  }),
  { minLength: 1, maxLength: 6 },
);

/** All places inside a value: an object or a list, and a key of it. */
const placesIn = (value: unknown): readonly (readonly [parent: object, key: string])[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => [[value, key] as const, ...placesIn(inner)])
    : [];

/** A copy of a value, changed. A copy of the whole inside of itself is deeper, and has the same ids again. */
const mutated = (value: unknown, changes: readonly Mutation[]): unknown => {
  const whole = { value: structuredClone(value) };
  for (const { at, how, value: other } of changes) {
    const places = placesIn(whole);
    const [parent, key] = places[at % places.length] ?? [whole, 'value'];
    if (how === 'delete' && parent !== whole) {
      if (Array.isArray(parent)) parent.splice(Number(key), 1);
      else Reflect.deleteProperty(parent, key);
    } else {
      const put = structuredClone(how === 'copy' ? whole.value : other);
      Object.defineProperty(parent, key, { value: put, ...writable });
    }
  }
  return whole.value;
};

const writable = { configurable: true, enumerable: true, writable: true };

/** A file is refused with a reason, or becomes a tenant in which every entry is accounted for. */
const isAnswered = (t: ExecutionContext, text: string): 'refused' | 'imported' => {
  const report = readReport(bytesOf(text));
  if (E.isLeft(report)) {
    t.true(report.left.length > 10 && report.left.length < 2000, report.left);
    return 'refused';
  }
  const file = { file: 'a.json', repo: null, report: report.right };
  const tenant = assembleTenant([file], { name: 'team', asOf, file: null });
  if (E.isLeft(tenant)) throw new Error(JSON.stringify(tenant.left));
  const { complete, summary } = tenant.right;
  const { read, findings, merged, leftOut } = summary.total;
  if (read !== findings + merged + leftOut || complete.fixDrafts.length !== findings)
    throw new Error(JSON.stringify(summary.total));
  if (!ImportSummary.is(summary)) throw new Error('the summary is not valid');
  if (E.isLeft(validateDataset(JSON.parse(JSON.stringify(complete)))))
    throw new Error('the tenant is not valid');
  return 'imported';
};

const { numRuns } = runs();

for (const [name, sample] of Object.entries(samples)) {
  test(`a changed report is refused or becomes a valid tenant: ${name}`, (t) => {
    let importedOnes = 0;
    fc.assert(
      fc.property(mutations, (changes) => {
        const text = JSON.stringify(mutated(sample, changes)) ?? 'null';
        if (isAnswered(t, text) === 'imported') importedOnes += 1;
      }),
      { numRuns },
    );
    // Otherwise the changes would prove nothing about the converter.
    t.true(importedOnes > numRuns / 4, String(importedOnes));
  });

  test(`a report that ends too early, or is damaged, is answered: ${name}`, (t) => {
    const text = JSON.stringify(sample, null, 1);
    fc.assert(
      fc.property(
        fc.nat(text.length),
        fc.nat(text.length),
        fc.constantFrom('', '{', '}', '[', ']', '"', '\n', '\\', ',', 'x'),
        (end, at, inserted) => {
          isAnswered(t, text.slice(0, end));
          isAnswered(t, text.slice(0, at) + inserted + text.slice(at));
        },
      ),
      { numRuns },
    );
  });
}

test('any text that is no report is refused', (t) => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (text) => void isAnswered(t, text)),
    { numRuns },
  );
});
