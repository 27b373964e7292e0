import type * as t from 'io-ts';
import type { JsonObject } from '../../common/json.js';
import { Optional } from '../../contract/codecs/combinators.js';
import { schemaOf } from '../../openapi/schema-of.js';
import { SettingCodec } from '../settings/setting-codec.js';

/** The JSON Schema of what a config file may have for a setting. */
export const settingSchema = (codec: t.Mixed): JsonObject => {
  if (codec instanceof Optional) return settingSchema(codec.codec);
  return codec instanceof SettingCodec ? codec.schema : schemaOf(codec);
};
