import type { Command } from 'commander';
import type * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import { type Problem, problemsOf } from '../../codecs/problem.js';
import { readSecretFile } from './secret-file.js';

/** How an option is written and explained. The codec of its setting says which values are valid. */
export type OptionText = Readonly<{
  /** In the syntax of commander: `-p, --port <port>`. */
  flags: string;
  /** The environment variable that sets the same; left out: none does. */
  variable?: string;
  /** Whether the value is a secret: a file can hold it, whose path is in the variable `<variable>_FILE`. */
  secret?: boolean;
  /** The value when neither the option nor the variable is given. */
  fallback?: string | boolean | readonly string[];
  description: string;
  /** Whether the option may be given several times, with one value each. */
  repeatable?: boolean;
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
    if (option.repeatable === true) command.option(option.flags, withHints(option), appended);
    else command.option(option.flags, withHints(option));
    if (option.negatable === true)
      command.option(option.flags.replace(/^.*--/, '--no-'), `turn ${longFlag(option.flags)} off`);
  }
};

const appended = (value: string, previous: readonly string[] = []): readonly string[] => [...previous, value];

/** A description with the default and the environment variables, as the help text shows it. */
export const withHints = (
  option: Pick<OptionText, 'description' | 'fallback' | 'variable' | 'secret'>,
): string => {
  const { description, fallback } = option;
  const variables = variablesOf(option);
  const hints = [
    ...(typeof fallback === 'string' ? [`default: ${fallback}`] : []),
    ...(variables.length === 0 ? [] : [`environment: ${variables.join(' or ')}`]),
  ];
  return hints.length === 0 ? description : `${description} (${hints.join('; ')})`;
};

const fileVariable = (variable: string): string => `${variable}_FILE`;

/** The environment variables that set an option. */
export const variablesOf = ({
  variable,
  secret = false,
}: Pick<OptionText, 'variable' | 'secret'>): readonly string[] =>
  variable === undefined ? [] : secret ? [variable, fileVariable(variable)] : [variable];

/** An environment in which the variables of some options are not set. */
export const withoutVariablesOf = (options: readonly OptionText[], environment: Environment): Environment => {
  const removed = options.flatMap(variablesOf);
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !removed.includes(name)));
};

/**
 * The settings of a command. Each comes from its option, else from its environment variable (an empty one
 * counts as unset) or the file that the variable of a secret names, else from its default, and passes through
 * the codec. `left`: one line for each invalid setting, which names the option or the variable.
 */
export const settingsReader =
  <P extends t.Props>(
    codec: t.ExactC<t.TypeC<P>>,
    options: OptionTexts<Extract<keyof P, string>>,
  ): SettingsReader<t.TypeOfProps<P>> =>
  (parsed, environment) => {
    const lookups = Object.entries<OptionText>(options).map(([name, text]) =>
      pipe(
        find(text, parsed, environment),
        E.map((value) => ({ name, ...value })),
      ),
    );
    const unreadable = lookups.filter(E.isLeft).map(({ left }) => left);
    if (unreadable.length > 0) return E.left(unreadable);
    const found = lookups.filter(E.isRight).map(({ right }) => right);
    const sources = new Map(found.map(({ name, source }) => [name, source]));
    const decoded = codec.decode(Object.fromEntries(found.map(({ name, value }) => [name, value])));
    return E.mapLeft((errors: t.Errors) =>
      problemsOf(errors).map((problem) => formatSetting(problem, sources)),
    )(decoded);
  };

/** Whether an option was given on the command line. */
export const isOnCommandLine = ({ flags }: OptionText, parsed: ParsedOptions): boolean =>
  parsed.getOptionValueSource(attributeOf(flags)) === 'cli';

type Found = Readonly<{ source: string; value: unknown }>;

const find = (
  option: OptionText,
  parsed: ParsedOptions,
  environment: Environment,
): E.Either<string, Found> => {
  const { flags, variable, secret = false, fallback } = option;
  if (isOnCommandLine(option, parsed))
    return E.right({ source: longFlag(flags), value: parsed.getOptionValue(attributeOf(flags)) });
  const value = variable === undefined ? '' : environment[variable] || '';
  const file = variable === undefined || !secret ? '' : environment[fileVariable(variable)] || '';
  if (value !== '' && file !== '')
    return E.left(`environment variables ${variable} and ${variable}_FILE are both set; set one of them`);
  if (value !== '') return E.right({ source: `environment variable ${variable}`, value });
  if (file !== '') {
    const source = `environment variable ${variable}_FILE`;
    return pipe(
      readSecretFile(file),
      E.bimap(
        (reason) => `${source}: cannot read ${JSON.stringify(file)}: ${reason}`,
        (secretText) => ({ source, value: secretText }),
      ),
    );
  }
  return E.right({ source: longFlag(flags), value: fallback });
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
