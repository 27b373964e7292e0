/** Whether a text is in a list of common passwords. Texts are in lower case. */
type IsListed = (text: string) => boolean;

/**
 * Whether a password is among the first that anyone would try: a listed one, a pattern, a word that says who
 * or what it is for, or one of these in a trivial variation, such as with a year and an exclamation mark.
 */
export const isGuessable = (password: string, words: readonly string[], isListed: IsListed): boolean => {
  const parts = words.map(normalize).sort((left, right) => right.length - left.length);
  return readings(normalize(password)).some(
    (reading) => isCommon(reading, isListed) || isMadeOf(reading, parts, isListed),
  );
};

/** Characters that look the same are the same (NFKC), as for the hash; letter case does not matter. */
const normalize = (text: string): string => text.normalize('NFKC').toLowerCase();

const fewAtTheEnd = /[^\p{L}]{1,4}$/u;
const noLettersAtEitherEnd = /^[^\p{L}]+|[^\p{L}]+$/gu;
const fewAtEitherEnd = /^[^\p{L}]{1,4}|[^\p{L}]{1,4}$/gu;

/**
 * A text as it is written, without spaces and the like, and with digits and signs read as the letters that
 * they look like.
 */
const readings = (text: string): readonly string[] => {
  const joined = text.replaceAll(/[\s._-]/gu, '');
  const words = [joined.replace(fewAtTheEnd, ''), joined.replaceAll(fewAtEitherEnd, '')];
  const readable = words.filter((word) => /\p{L}{2}/u.test(word));
  return [text, joined, ...['i', 'l'].flatMap((one) => readable.map((word) => asLetters(word, one)))];
};

const lookalikes: Readonly<Record<string, string>> = {
  '@': 'a',
  4: 'a',
  3: 'e',
  '!': 'i',
  0: 'o',
  $: 's',
  5: 's',
  7: 't',
};

const asLetters = (text: string, one: string): string =>
  text.replaceAll(/[@43!0$571]/g, (character) => lookalikes[character] ?? one);

/** Whether a text is common, or one common word with a number, up to some digits or signs at its ends. */
const isCommon = (text: string, isListed: IsListed): boolean =>
  cuts(text, 4).some((cut) => isListed(cut) || isPattern(cut, isListed)) ||
  cuts(text, 2).some((cut) => isWordWithNumber(cut, isListed));

/** A text, and without up to `most` digits or signs at its ends as long as six characters are left. */
const cuts = (text: string, most: number): readonly string[] => {
  const before = lengthOf(/^[^\p{L}]*/u, text, most);
  const after = lengthOf(/[^\p{L}]*$/u, text, most);
  const lengths = (longest: number) => Array.from({ length: longest + 1 }, (_, i) => i);
  const shorter = lengths(before).flatMap((start) =>
    lengths(Math.min(after, most - start)).map((end) => text.slice(start, text.length - end)),
  );
  return [text, ...shorter.filter((cut) => cut.length >= 6)];
};

const lengthOf = (pattern: RegExp, text: string, most: number): number =>
  Math.min(most, pattern.exec(text)?.[0].length ?? 0);

/** Whether a text is one common word, or hardly a word, with signs and a short or common number around it. */
const isWordWithNumber = (text: string, isListed: IsListed): boolean => {
  const word = text.replaceAll(noLettersAtEitherEnd, '');
  const number = text.replace(word, '').replaceAll(/\P{N}/gu, '');
  const isCommonNumber = number.length <= 4 || isListed(number) || isPattern(number, isListed);
  return isCommonNumber && (word.length <= 2 || isListed(word) || isPattern(word, isListed));
};

/** A repetition of something short or common, or a part of a row of letters or digits in either direction. */
const isPattern = (text: string, isListed: IsListed): boolean => {
  const [, unit] = /^(.+?)\1+$/u.exec(text) ?? [];
  if (unit !== undefined && (unit.length <= 4 || isListed(unit))) return true;
  const backwards = Array.from(text).reverse().join('');
  return rows.some((row) => row.includes(text) || row.includes(backwards));
};

const rows = [
  '12345678901234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  'qwertzuiopasdfghjklyxcvbnm',
];

/** Whether hardly anything is left of a text, or only something common, when some parts are taken out. */
const isMadeOf = (text: string, parts: readonly string[], isListed: IsListed): boolean => {
  const rest = parts.reduce((left, part) => left.replaceAll(part, ''), text);
  if (rest === text) return false;
  return rest.replaceAll(/[^\p{L}\p{N}]/gu, '').length < 6 || isCommon(rest, isListed);
};
