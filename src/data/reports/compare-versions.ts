/**
 * Orders versions of any ecosystem well enough to sort ranges: numbers as numbers, `1.0-rc1` before `1.0`,
 * `1.0` before `1.0.1`. Letters compare as text.
 */
export const compareVersions = (left: string, right: string): number => {
  const [l, r] = [partsOf(left), partsOf(right)];
  for (let index = 0; index < Math.max(l.length, r.length); index += 1) {
    const difference = compareParts(l[index], r[index]);
    if (difference !== 0) return difference;
  }
  return 0;
};

type Part = number | string;

const partsOf = (version: string): readonly Part[] =>
  Array.from(
    version
      .replace(/^v(?=\d)/i, '')
      .replace(/\+.*$/s, '')
      .matchAll(/\d{1,15}|[A-Za-z]+/g),
    ([part]) => (/^\d/.test(part) ? Number(part) : part.toLowerCase()),
  );

/** Words after a release number that do not make it an earlier version. */
const releases = ['final', 'ga', 'release', 'post', 'sp', 'patch', 'r'];

/** A missing part counts as 0, which is after a word such as `rc` and before one such as `release`. */
const compareParts = (left: Part = 0, right: Part = 0): number => {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : left > right ? 1 : 0;
  return typeof left === 'string' ? compareWord(left, right) : -compareWord(String(right), left);
};

const compareWord = (word: string, number: Part): number =>
  releases.includes(word) && number === 0 ? 1 : -1;
