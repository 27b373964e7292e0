import type { ServedResponse } from './serve-storage.js';

/** Longer texts, and more items, are cut in reports. */
const maxText = 80;
const maxItems = 12;

/** How a response differs from the expected one, in a few lines; null if not at all. */
export const differenceOf = (actual: ServedResponse, expected: ServedResponse): string | null => {
  if (actual.status !== expected.status)
    return `status ${actual.status} instead of ${expected.status}: ${cut(actual.text)}`;
  if (actual.text === expected.text) return null;
  const [got, wanted] = [parsed(actual.text), parsed(expected.text)];
  const found = firstDifference(got, wanted, '');
  if (found === null)
    return `the same values in other bytes: ${aroundDifference(actual.text, expected.text)}`;
  return [
    `first difference: ${found.path === '' ? 'the body' : found.path}`,
    `  expected ${inJson(found.wanted)}`,
    `  got      ${inJson(found.got)}`,
    ...idLines(got, wanted),
  ].join('\n');
};

/** The value of a JSON text with long texts cut; the text itself if it is none. */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? cut(value) : value));
  } catch {
    return cut(text);
  }
};

type Difference = Readonly<{ path: string; got: unknown; wanted: unknown }>;

const firstDifference = (got: unknown, wanted: unknown, path: string): Difference | null => {
  if (Object.is(got, wanted)) return null;
  if (!isContainer(got) || !isContainer(wanted) || Array.isArray(got) !== Array.isArray(wanted))
    return { path, got, wanted };
  if (Array.isArray(got) && Array.isArray(wanted) && got.length !== wanted.length)
    return { path: `length of ${path === '' ? 'the list' : path}`, got: got.length, wanted: wanted.length };
  for (const key of new Set([...Object.keys(wanted), ...Object.keys(got)])) {
    const found = firstDifference(got[key], wanted[key], `${path}/${key}`);
    if (found !== null) return found;
  }
  return null;
};

const isContainer = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** The ids of two lists, if they differ: an order, or rows that are missing, are seen at a glance. */
const idLines = (got: unknown, wanted: unknown): readonly string[] => {
  const [expected, actual] = [idsOf(wanted), idsOf(got)];
  return expected === actual ? [] : [`ids expected ${expected}`, `ids got      ${actual}`];
};

const idsOf = (body: unknown): string => {
  const items: unknown = isContainer(body) && !Array.isArray(body) ? body.items : body;
  if (!Array.isArray(items)) return 'none';
  const ids = items.slice(0, maxItems).map((item: unknown) => shortId(isContainer(item) ? item.id : item));
  return `[${ids.join(', ')}${items.length > maxItems ? `, … ${items.length} in all` : ''}]`;
};

const shortId = (id: unknown): string =>
  inAscii(typeof id === 'string' && id.length > 24 ? `${id.slice(0, 10)}…` : id);

const aroundDifference = (got: string, wanted: string): string => {
  let i = 0;
  while (i < got.length && got[i] === wanted[i]) i += 1;
  const from = Math.max(0, i - 20);
  return `expected …${wanted.slice(from, i + 40)}…, got …${got.slice(from, i + 40)}…`;
};

const cut = (text: string): string =>
  text.length > maxText ? `${text.slice(0, maxText)}… (${text.length} characters)` : text;

const inJson = (value: unknown): string => {
  const text = inAscii(value);
  return text.length > 4 * maxText ? `${text.slice(0, 4 * maxText)}…` : text;
};

/** JSON that tells characters apart which look alike, such as the two encodings of é. */
export const inAscii = (value: unknown): string =>
  (JSON.stringify(value) ?? 'nothing').replace(
    /[^\x20-\x7e]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
