import test from 'ava';
import { advisories } from '../../src/advisories/advisories.js';
import { versionBefore } from '../../src/generator/catalogue.js';

const numbersOf = (version: string): readonly number[] =>
  version.split(/[.-]/).map((part) => Number.parseInt(part, 10) || 0);

/** Below, at or above zero. */
const compare = (left: string, right: string): number => {
  const [l, r] = [numbersOf(left), numbersOf(right)];
  const index = Array.from({ length: 5 }).findIndex((_, i) => (l[i] ?? 0) !== (r[i] ?? 0));
  return index === -1 ? 0 : (l[index] ?? 0) - (r[index] ?? 0);
};

test('the version before a fixed one is in the vulnerable range of every advisory', (t) => {
  for (const { vulnerableRange, fixedVersion } of advisories) {
    const before = versionBefore(fixedVersion);
    const [, introduced = '0'] = /^>= (\S+),/.exec(vulnerableRange) ?? [];
    t.true(compare(before, fixedVersion) < 0, `${before} < ${fixedVersion}`);
    t.true(compare(before, introduced) >= 0, `${before} >= ${introduced}`);
  }
});

for (const [fixed, before] of [
  ['4.17.21', '4.17.20'],
  ['1.16.0', '1.15.0'],
  ['8.0.0', '7.0.0'],
  ['2.12.6.1', '2.12.6'],
  ['5.2.20.RELEASE', '5.2.19.RELEASE'],
  ['0.0.0', '0'],
] as const) {
  test(`the version before ${fixed} is ${before}`, (t) => {
    t.is(versionBefore(fixed), before);
  });
}
