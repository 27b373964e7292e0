import * as t from 'io-ts';

/** A value as `JSON.parse` returns it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export type JsonObject = { readonly [key: string]: Json };

const isJsonTo =
  (depth: number) =>
  (u: unknown): u is Json => {
    if (u === null || ['boolean', 'number', 'string'].includes(typeof u)) return true;
    if (depth === 0) return false;
    const isInside = isJsonTo(depth - 1);
    return Array.isArray(u) ? u.every(isInside) : t.UnknownRecord.is(u) && Object.values(u).every(isInside);
  };

/** How deeply values may be nested is limited: a check of each level is a call on the stack. */
const isJson = isJsonTo(500);

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
 * The value of a JSON text; undefined if the text is not JSON. A byte-order mark at the start is ignored, as
 * RFC 8259, section 8.1, allows.
 */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text.startsWith(byteOrderMark) ? text.slice(1) : text);
  } catch {
    return undefined;
  }
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
