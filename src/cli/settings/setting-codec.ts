import * as t from 'io-ts';
import type { JsonObject } from '../../common/json.js';

/**
 * The codec of a setting. It decodes the text of an option or a variable; `schema` is the JSON Schema of the
 * values that a config file may have instead.
 */
export class SettingCodec<A> extends t.Type<A, unknown, unknown> {
  constructor(
    name: string,
    is: (u: unknown) => u is A,
    validate: t.Validate<unknown, A>,
    readonly schema: JsonObject,
  ) {
    super(name, is, validate, t.identity);
  }
}

/** Gives a codec the JSON Schema of what a config file may have for it. */
export const withSchema = <A>(codec: t.Type<A, unknown, unknown>, schema: JsonObject): SettingCodec<A> =>
  new SettingCodec(codec.name, codec.is, codec.validate, schema);
