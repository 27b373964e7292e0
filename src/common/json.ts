import * as t from 'io-ts';

/** A value as `JSON.parse` returns it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export type JsonObject = { readonly [key: string]: Json };

/** How deeply JSON from outside may be nested: what reads a value calls itself for each level. */
export const maxDepth = 500;

export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isJsonTo =
  (depth: number) =>
  (u: unknown): u is Json => {
    if (u === null || ['boolean', 'number', 'string'].includes(typeof u)) return true;
    if (depth === 0) return false;
    const isInside = isJsonTo(depth - 1);
    return Array.isArray(u) ? u.every(isInside) : t.UnknownRecord.is(u) && Object.values(u).every(isInside);
  };

const isJson = isJsonTo(maxDepth);

/** Any JSON, where its form is nobody's business but the receiver's. */
export class JsonValueCodec extends t.Type<Json, Json, unknown> {
  constructor() {
    super('a JSON value', isJson, (u, c) => (isJson(u) ? t.success(u) : t.failure(u, c)), t.identity);
  }
}

export const JsonValue = /* @__PURE__ */ new JsonValueCodec();

/** Some programs start a text with it. JSON that is sent must not have it (RFC 8259, section 8.1). */
export const byteOrderMark = '\uFEFF';

/**
 * The value of a JSON text from outside; undefined if it is not JSON, or nested too deeply. A byte-order mark
 * at the start is ignored, as RFC 8259, section 8.1, allows.
 */
export const parseJson = (text: string): unknown => {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text.startsWith(byteOrderMark) ? text.slice(1) : text);
  } catch {
    return undefined;
  }
};

/** What messages say of a text that is nested too deeply. */
export const tooDeep = `nested more than ${maxDepth} levels deep`;

/** Why `parseJson` finds no value in a text. */
export const whyNoJson = (text: string): string => (isTooDeep(text) ? tooDeep : 'not JSON');

/**
 * Whether a JSON text is nested too deeply, in linear time and without memory. Few brackets suffice to say
 * no: of a page of the API, that takes 2% of the time of `JSON.parse`, and a look at all of it 40%.
 */
export const isTooDeep = (text: string): boolean => hasManyBrackets(text) && jsonShape(text).depth > maxDepth;

const hasManyBrackets = (text: string): boolean => {
  let count = 0;
  for (const bracket of '[{')
    for (let at = text.indexOf(bracket); at !== -1 && count <= maxDepth; at = text.indexOf(bracket, at + 1))
      count += 1;
  return count > maxDepth;
};

const [quote, comma, colon, openBracket, backslash, closeBracket, openBrace, closeBrace] = [
  0x22, 0x2c, 0x3a, 0x5b, 0x5c, 0x5d, 0x7b, 0x7d,
];

/** How deeply a JSON text is nested, and how many properties it has, and roughly how many values. */
export const jsonShape = (text: string): Readonly<{ depth: number; properties: number; values: number }> => {
  let [level, depth, properties, values] = [0, 0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === colon) properties += 1;
    else if (code === comma) values += 1;
    else if (code === openBrace || code === openBracket) {
      values += 1;
      level += 1;
      depth = Math.max(depth, level);
    } else if (code === closeBrace || code === closeBracket) level -= 1;
  }
  return { depth, properties, values };
};

/** The index of the quote that ends the string which begins at `start`; after the text if none does. */
export const endOfString = (text: string, start: number): number => {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === backslash) before -= 1;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
};

/** The text of a file with these fields, and with a line for each row of a list: for version control. */
export const jsonWithRows = (
  content: Readonly<Record<string, unknown>>,
  inOneLine: (value: unknown) => string = (value) => JSON.stringify(value),
): string => {
  const fields = Object.entries(content).flatMap(([key, value]) => {
    if (value === undefined) return [];
    const isList = Array.isArray(value) && value.length > 0;
    const text = isList ? `[\n    ${value.map(inOneLine).join(',\n    ')}\n  ]` : inOneLine(value);
    return [`\n  ${JSON.stringify(key)}: ${text}`];
  });
  return `{${fields.join(',')}${fields.length > 0 ? '\n' : ''}}\n`;
};

/** JSON with sorted keys: two values are equal if and only if their canonical JSON is equal. */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const fields = Object.entries(value).sort(([l], [r]) => (l < r ? -1 : 1));
  return `{${fields.map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`).join(',')}}`;
};

/**
 * Deep equality of JSON values; the order of keys does not matter. Stops at the first difference, so that a
 * small value is compared with a large one as fast as with a small one.
 */
export const isJsonEqual = (left: unknown, right: unknown): boolean => {
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null)
    return left === right;
  const fields = Object.entries(left);
  const others = new Map<string, unknown>(Object.entries(right));
  return (
    Array.isArray(left) === Array.isArray(right) &&
    fields.length === others.size &&
    fields.every(([key, value]) => others.has(key) && isJsonEqual(value, others.get(key)))
  );
};

/** The text in a field of a row, if there is one. */
export const textOf = (row: unknown, field: string): string | undefined => {
  const text = t.UnknownRecord.is(row) ? row[field] : undefined;
  return typeof text === 'string' ? text : undefined;
};

/** The value at a path of one that was not decoded; undefined if there is none. */
export const valueAt = (value: unknown, path: readonly (string | number)[]): unknown => {
  let inner = value;
  for (const key of path)
    inner = Array.isArray(inner) ? inner[Number(key)] : t.UnknownRecord.is(inner) ? inner[key] : undefined;
  return inner;
};
