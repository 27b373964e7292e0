import * as t from 'io-ts';

/** A value as `JSON.parse` returns it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** How deeply values may be nested: a check of each level is a call on the stack. */
const maxDepth = 500;

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
  readonly _tag = 'JsonValueCodec';

  constructor() {
    super('a JSON value', isJson, (u, c) => (isJson(u) ? t.success(u) : t.failure(u, c)), t.identity);
  }
}

export const JsonValue = new JsonValueCodec();
