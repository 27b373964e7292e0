import * as t from 'io-ts';

/** A value as `JSON.parse` returns it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const isJson = (u: unknown): u is Json =>
  u === null ||
  ['boolean', 'number', 'string'].includes(typeof u) ||
  (Array.isArray(u) ? u.every(isJson) : t.UnknownRecord.is(u) && Object.values(u).every(isJson));

/** Any JSON, where its form is nobody's business but the receiver's. */
export class JsonValueCodec extends t.Type<Json, Json, unknown> {
  readonly _tag = 'JsonValueCodec';

  constructor() {
    super('a JSON value', isJson, (u, c) => (isJson(u) ? t.success(u) : t.failure(u, c)), t.identity);
  }
}

export const JsonValue = new JsonValueCodec();
