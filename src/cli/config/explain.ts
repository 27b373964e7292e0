import * as E from '#fp-ts/Either';
import { problemsOf } from '../../contract/codecs/problem.js';
import { findValue } from '../settings/find-value.js';
import { keyOf } from '../settings/option-names.js';
import type { OptionText, OptionTexts, ParsedOptions } from '../settings/options.js';
import { type Origin, originLabel, originPrefix, type SettingSources } from '../settings/setting-sources.js';
import type { SettingsReader } from '../settings/settings-reader.js';

/** The value of a setting, and where it comes from. */
export type ExplainedSetting = Readonly<{
  /** Its name in a config file, and in the output. */
  key: string;
  /** Null: there is none, or it is a secret. */
  value: unknown;
  isSecret: boolean;
  isSet: boolean;
  source: Origin['kind'];
  /** The option, the variable, the place in the config file, or `default`. */
  from: string;
  /** Whether the command needs a value, and has none. */
  isMissing: boolean;
  /** What is wrong with it; null if nothing is. */
  problem: string | null;
  /** Why a variable with a common name does not count; null if none is ignored. */
  note: string | null;
}>;

/** The settings of a command, in the order of its help, and what is wrong with them together. */
export type ExplainedSettings = Readonly<{
  settings: readonly ExplainedSetting[];
  /** One line for each conflict between valid values. */
  conflicts: readonly string[];
}>;

/** Explains every setting of a command. */
export const explainSettings = (
  options: OptionTexts<string>,
  reader: SettingsReader<unknown>,
  parsed: ParsedOptions,
  sources: SettingSources,
): ExplainedSettings => {
  const settings = explainEach(options, reader, parsed, sources);
  const read = reader.read(parsed, sources);
  // What is wrong with single values, `settings` says, and a value that is required may be given later.
  const isComplete = settings.every(({ problem, isMissing }) => problem === null && !isMissing);
  return { settings, conflicts: isComplete && E.isLeft(read) ? read.left : [] };
};

const explainEach = (
  options: OptionTexts<string>,
  { codecs, narrow }: Pick<SettingsReader<unknown>, 'codecs' | 'narrow'>,
  parsed: ParsedOptions,
  sources: SettingSources,
): readonly ExplainedSetting[] => {
  const effective = narrow?.(parsed, sources) ?? sources;
  return Object.entries<OptionText>(options).flatMap(([name, option]) => {
    const codec = codecs[name];
    if (codec === undefined) return [];
    const key = keyOf(option.flags);
    const isSecret = option.secret === true;
    const found = findValue(option, parsed, effective);
    if (E.isLeft(found)) {
      const from = option.variable ?? key;
      return [
        {
          key,
          value: null,
          isSecret,
          isSet: false,
          isMissing: false,
          source: 'variable',
          from,
          problem: found.left,
          note: null,
        },
      ];
    }
    const { origin, value, note } = found.right;
    const decoded = codec.decode(value);
    const isDefault = origin.kind === 'default';
    const [problem] =
      E.isRight(decoded) || isDefault ? [] : problemsOf(decoded.left).map(({ message }) => message);
    return [
      {
        key,
        value: isSecret ? null : ((E.isRight(decoded) ? printable(decoded.right, value) : value) ?? null),
        isSecret,
        isSet: value !== undefined,
        isMissing: isDefault && E.isLeft(decoded),
        source: origin.kind,
        from: originLabel(origin),
        problem: problem === undefined ? null : `${originPrefix(origin)}: ${problem}`,
        note,
      },
    ];
  });
};

/** What a codec makes of a value, unless only programs understand it. */
const printable = (decoded: unknown, value: unknown): unknown =>
  typeof decoded === 'object' && !Array.isArray(decoded) ? value : decoded;
