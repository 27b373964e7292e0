import type { Command } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import { type Problem, problemsOf } from '../../codecs/problem.js';

/** How an option is written and explained. The codec of its setting says which values are valid. */
export type OptionText = Readonly<{
  /** In the syntax of commander: `-p, --port <port>`. */
  flags: string;
  /** The environment variable that sets the same; left out: none does. */
  variable?: string;
  /** The value when neither the option nor the variable is given. */
  fallback?: string | boolean | readonly string[];
  description: string;
  /** For a switch: adds `--no-<name>`, to override the environment. */
  negatable?: boolean;
}>;

/** The options of a command, by the names of its settings. */
export type OptionTexts<Names extends string> = Readonly<Record<Names, OptionText>>;

/** The environment variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The options that commander has parsed. */
export type ParsedOptions = Pick<Command, 'getOptionValue' | 'getOptionValueSource'>;

/** Reads the settings of a command. `left`: one line for each invalid setting. */
export type SettingsReader<Settings> = (
  parsed: ParsedOptions,
  environment: Environment,
) => E.Either<readonly string[], Settings>;

/** Declares the options of a command, with their defaults and environment variables in the help text. */
export const addOptions = (command: Command, options: OptionTexts<string>): void => {
  for (const option of Object.values(options)) {
    command.option(option.flags, withHints(option));
    if (option.negatable === true)
      command.option(option.flags.replace(/^.*--/, '--no-'), `turn ${longFlag(option.flags)} off`);
  }
};

/** A description with the default and the environment variable, as the help text shows it. */
export const withHints = ({
  description,
  fallback,
  variable,
}: Pick<OptionText, 'description' | 'fallback' | 'variable'>): string => {
  const hints = [
    ...(typeof fallback === 'string' ? [`default: ${fallback}`] : []),
    ...(variable === undefined ? [] : [`environment: ${variable}`]),
  ];
  return hints.length === 0 ? description : `${description} (${hints.join('; ')})`;
};

/**
 * The settings of a command. Each comes from its option, else from its environment variable (an empty one
 * counts as unset), else from its default, and passes through the codec. `left`: one line for each invalid
 * setting, which names the option or the variable.
 */
export const settingsReader =
  <P extends t.Props>(
    codec: t.ExactC<t.TypeC<P>>,
    options: OptionTexts<Extract<keyof P, string>>,
  ): SettingsReader<t.TypeOfProps<P>> =>
  (parsed, environment) => {
    const found = Object.entries<OptionText>(options).map(([name, text]) => ({
      name,
      ...find(text, parsed, environment),
    }));
    const sources = new Map(found.map(({ name, source }) => [name, source]));
    const decoded = codec.decode(Object.fromEntries(found.map(({ name, value }) => [name, value])));
    return E.mapLeft((errors: t.Errors) =>
      problemsOf(errors).map((problem) => formatSetting(problem, sources)),
    )(decoded);
  };

/** Whether an option was given on the command line. */
export const isOnCommandLine = ({ flags }: OptionText, parsed: ParsedOptions): boolean =>
  parsed.getOptionValueSource(attributeOf(flags)) === 'cli';

const find = (
  option: OptionText,
  parsed: ParsedOptions,
  environment: Environment,
): Readonly<{ source: string; value: unknown }> => {
  const { flags, variable, fallback } = option;
  if (isOnCommandLine(option, parsed))
    return { source: longFlag(flags), value: parsed.getOptionValue(attributeOf(flags)) };
  const fromEnvironment = variable === undefined ? undefined : environment[variable];
  if (fromEnvironment !== undefined && fromEnvironment !== '')
    return { source: `environment variable ${variable}`, value: fromEnvironment };
  return { source: longFlag(flags), value: fallback };
};

/** `--max-signups` of `--max-signups <count>`. */
const longFlag = (flags: string): string => flags.replace(/^.*(--[a-z-]+).*$/, '$1');

/** The name under which commander keeps the value: `maxSignups` of `--max-signups <count>`. */
const attributeOf = (flags: string): string =>
  longFlag(flags)
    .slice(2)
    .replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

const formatSetting = ({ path, message }: Problem, sources: ReadonlyMap<string, string>): string =>
  `${sources.get(path[0] ?? '') ?? path.join('/')}: ${message}`;
