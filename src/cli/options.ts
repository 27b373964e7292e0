import type { Command } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import { type Problem, problemsOf } from '../codecs/problem.js';

/** How an option is written and explained; its codec says what it takes. */
export type OptionText = Readonly<{
  /** As commander reads it: `-p, --port <port>`. */
  flags: string;
  /** Its twin in the environment. */
  variable: string;
  /** What it is where neither gives it; `undefined`: nothing. */
  fallback?: string | boolean | readonly string[];
  description: string;
  /** For a switch: also `--no-<name>`, to outdo the environment. */
  negatable?: boolean;
}>;

/** The options of a command under the names of its settings. */
export type OptionTexts<Names extends string> = Readonly<Record<Names, OptionText>>;

/** The environment, as far as settings are concerned. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Tells commander of a command's options, with their defaults and twins in the help text. */
export const addOptions = (command: Command, options: OptionTexts<string>): Command => {
  for (const { flags, variable, fallback, description, negatable } of Object.values(options)) {
    const byDefault = typeof fallback === 'string' ? `default: ${fallback}; ` : '';
    command.option(flags, `${description} (${byDefault}environment: ${variable})`);
    if (negatable === true) command.option(flags.replace(/^.*--/, '--no-'), 'the opposite');
  }
  return command;
};

/**
 * A command's settings: from its options, else from the environment (a variable that is empty counts as unset), else by
 * default, through its codec. `left`: a line for each that does not fit, naming where it came from.
 */
export const readSettings = <P extends t.Props>(
  codec: t.ExactC<t.TypeC<P>>,
  options: OptionTexts<Extract<keyof P, string>>,
  command: Pick<Command, 'getOptionValue' | 'getOptionValueSource'>,
  environment: Environment,
): E.Either<readonly string[], t.TypeOf<typeof codec>> => {
  const found = Object.entries<OptionText>(options).map(([name, text]) => ({
    name,
    ...find(name, text, command, environment),
  }));
  const sources = new Map(found.map(({ name, source }) => [name, source]));
  const decoded = codec.decode(Object.fromEntries(found.map(({ name, value }) => [name, value])));
  return E.mapLeft((errors: t.Errors) => problemsOf(errors).map((problem) => explain(problem, sources)))(
    decoded,
  );
};

const find = (
  name: string,
  { flags, variable, fallback }: OptionText,
  command: Pick<Command, 'getOptionValue' | 'getOptionValueSource'>,
  environment: Environment,
): Readonly<{ source: string; value: unknown }> => {
  const option = flags.replace(/^.*(--[a-z-]+).*$/, '$1');
  if (command.getOptionValueSource(name) === 'cli')
    return { source: option, value: command.getOptionValue(name) };
  const given = environment[variable];
  if (given !== undefined && given !== '')
    return { source: `environment variable ${variable}`, value: given };
  return { source: option, value: fallback };
};

const explain = ({ path, message }: Problem, sources: ReadonlyMap<string, string>): string =>
  `${sources.get(path[0] ?? '') ?? path.join('/')}: ${message}`;
