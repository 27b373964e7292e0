import type * as t from 'io-ts';
import type * as E from '#fp-ts/Either';
import type { JsonObject } from '../../common/json.js';
import type { Problem } from '../../contract/codecs/problem.js';
import type { Argument } from '../argument.js';
import { keyOf } from '../settings/option-names.js';
import type { OptionText, OptionTexts } from '../settings/options.js';
import { NonEmptyString } from '../settings/setting-codecs.js';
import { settingFromJson } from './setting-from-json.js';
import { settingSchema } from './setting-schema.js';

/** A setting that a config file can have. */
export type FileSetting = Readonly<{
  key: string;
  option: OptionText;
  schema: JsonObject;
  /** What `settingFromJson` does for its codec. */
  fromJson: (value: unknown, file: string) => E.Either<readonly Problem[], unknown>;
}>;

/** The settings of a command that a config file can have: all but decisions about a single run. */
export const fileSettings = (
  options: OptionTexts<string>,
  codecs: t.Props,
  argument: Argument | undefined,
): readonly FileSetting[] => {
  const setting = (key: string, codec: t.Mixed, option: OptionText): FileSetting => ({
    key,
    option,
    schema: settingSchema(codec),
    fromJson: (value, file) => settingFromJson(codec, option, value, file),
  });
  const ofOptions = Object.entries(options).flatMap(([name, option]) => {
    const codec = codecs[name];
    return codec === undefined || option.variable === undefined || option.notInFile === true
      ? []
      : [setting(keyOf(option.flags), codec, option)];
  });
  if (argument?.key === undefined) return ofOptions;
  const { key, description } = argument;
  return [...ofOptions, setting(key, NonEmptyString, { flags: `--${key} <path>`, description })];
};
