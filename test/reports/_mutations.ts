import fc from 'fast-check';

/** A place inside a value. */
type Path = readonly (string | number)[];

/** How a value is changed: at the place with this number, in this way. */
export type Mutation = Readonly<{ at: number; how: 'delete' | 'replace' | 'copy'; value: unknown }>;

/** Values that converters do not expect: of other types, of great length, with names of prototypes. */
const hostile: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  '',
  ' ',
  'x'.repeat(5000),
  'a\u0000b',
  '\ud800',
  '__proto__',
  'constructor',
  'GHSA-aaaa-bbbb-cccc',
  'CVE-2020-0001',
  '9999-99-99T99:99:99Z',
  '9999-12-31T23:59:59-23:59',
  '>= || || <',
  '\u202e"\n\r',
  '../..',
  'pkg:npm/%E0%A4%A',
  'pkg:npm/a%00b@1%00',
  'pkg:deb/%00/a@1',
  'Package: a\u0000b\nInstalled Version: 1\u0000\nFixed Version: 2\ud800',
  'Package: a\nInstalled Version: 1\u0000\nFixed Version: 2\ud800\nType: \u0000',
  "Package 'a@\u0000' is vulnerable to 'CVE-2020-0001'",
  'Upgrade a to version 1.2, 3.4',
  [],
  {},
  [[]],
  [null],
  [{}],
  { id: 1 },
  { __proto__: null, constructor: 'x', toString: 1 },
  JSON.parse('{"__proto__": {"package": "x"}, "hasOwnProperty": 1}'),
];

export const mutations: fc.Arbitrary<readonly Mutation[]> = fc.array(
  fc.record({
    at: fc.nat(100_000),
    how: fc.constantFrom('delete', 'replace', 'replace', 'copy'),
    value: fc.oneof(fc.constantFrom(...hostile), fc.jsonValue({ maxDepth: 2 })),
  }),
  { minLength: 1, maxLength: 6 },
);

const placesIn = (value: unknown, path: Path = []): readonly Path[] =>
  typeof value === 'object' && value !== null
    ? [path, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...path, key]))]
    : [path];

/** A copy of a value, changed. */
export const mutated = (value: unknown, changes: readonly Mutation[]): unknown =>
  changes.reduce<unknown>((current, { at, how, value: other }) => {
    const places = placesIn(current);
    const path = places[at % places.length] ?? [];
    return changed(current, path, how, other, current);
  }, value);

const changed = (
  value: unknown,
  path: Path,
  how: Mutation['how'],
  other: unknown,
  whole: unknown,
): unknown => {
  const [key, ...rest] = path;
  // A copy of the whole inside of itself: deeper, and with the same ids again.
  if (key === undefined) return how === 'copy' ? whole : other;
  if (Array.isArray(value)) {
    const index = Number(key);
    const kept =
      how === 'delete' && rest.length === 0 ? [] : [changed(value[index], rest, how, other, whole)];
    return [...value.slice(0, index), ...kept, ...value.slice(index + 1)];
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(
    ([each]) => !(how === 'delete' && rest.length === 0 && each === key),
  );
  return Object.fromEntries(
    entries.map(([each, inner]) => [each, each === key ? changed(inner, rest, how, other, whole) : inner]),
  );
};
