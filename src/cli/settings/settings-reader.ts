import type * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import { type Problem, problemsOf } from '../../contract/codecs/problem.js';
import { type Found, findValue } from './find-value.js';
import type { OptionText, OptionTexts, ParsedOptions } from './options.js';
import { type Origin, originPrefix, type SettingSources } from './setting-sources.js';

/** Settings, where each comes from by its name, and why variables with common names do not count. */
export type ReadSettings<Settings> = Readonly<{
  settings: Settings;
  origins: ReadonlyMap<string, Origin>;
  notes: readonly string[];
}>;

/** Reads the settings of a command. `left`: one line for each invalid setting. */
export type SettingsReader<Settings> = Readonly<{
  read: (
    parsed: ParsedOptions,
    sources: SettingSources,
  ) => E.Either<readonly string[], ReadSettings<Settings>>;
  /** The codec of each setting, by its name. */
  codecs: t.Props;
  /** The sources that count together, if some overrule others; left out: all. */
  narrow?: (parsed: ParsedOptions, sources: SettingSources) => SettingSources;
}>;

/**
 * The settings of a command. Each comes from where `findValue` says, and passes through the codec. `left`:
 * one line for each invalid setting, which names the option, the variable or the place in the config file.
 */
export const settingsReader = <P extends t.Props>(
  codec: t.ExactC<t.TypeC<P>>,
  options: OptionTexts<Extract<keyof P, string>>,
): SettingsReader<t.TypeOfProps<P>> => ({
  codecs: codec.type.props,
  read: (parsed, sources) => {
    const lookups = Object.entries<OptionText>(options).map(([name, text]) =>
      pipe(
        findValue(text, parsed, sources),
        E.map((value) => ({ name, ...value })),
      ),
    );
    const unreadable = lookups.filter(E.isLeft).map(({ left }) => left);
    if (unreadable.length > 0) return E.left(unreadable);
    const found = lookups.filter(E.isRight).map(({ right }) => right);
    const byName = new Map<string, Found>(found.map(({ name, ...rest }) => [name, rest]));
    return pipe(
      codec.decode(Object.fromEntries(found.map(({ name, value }) => [name, value]))),
      E.bimap(
        (errors) => problemsOf(errors).map((problem) => formatSetting(problem, byName)),
        (settings) => ({
          settings,
          origins: new Map(found.map(({ name, origin }) => [name, origin])),
          notes: found.flatMap(({ note }) => note ?? []),
        }),
      ),
    );
  },
});

/** Adds to a reader what settings have to fulfil together. */
export const refined = <Settings, Refined>(
  reader: SettingsReader<Settings>,
  refine: (found: ReadSettings<Settings>, parsed: ParsedOptions) => E.Either<readonly string[], Refined>,
): SettingsReader<Refined> => ({
  ...reader,
  read: (parsed, sources) =>
    pipe(
      reader.read(parsed, sources),
      E.flatMap((found) =>
        pipe(
          refine(found, parsed),
          E.map((settings) => ({ ...found, settings })),
        ),
      ),
    ),
});

const formatSetting = ({ path, message }: Problem, found: ReadonlyMap<string, Found>): string => {
  const { origin, note = null } = found.get(path[0] ?? '') ?? {};
  const prefix = origin === undefined ? path.join('/') : originPrefix(origin);
  return `${prefix}: ${message}${note === null ? '' : ` (${note})`}`;
};
