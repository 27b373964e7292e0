import type { Command } from 'commander';
import type * as t from 'io-ts';
import { fileVariable, negatedFlag } from './option-names.js';

/** How an option is written and explained. The codec of its setting says which values are valid. */
export type OptionText = Readonly<{
  /** In the syntax of commander: `-p, --port <port>`. */
  flags: string;
  /** The environment variable that sets the same, `TRIAGE_…`; left out: none does, nor a config file. */
  variable?: string;
  /** A variable that other programs read as well. It counts only if this codec accepts its value. */
  generic?: Readonly<{
    variable: string;
    accepts: t.Mixed;
    /** Whether it counts only if a config file does not set the same. */
    isBelowFile?: boolean;
  }>;
  /** Whether a config file cannot set it: it is a decision about a single run, or names code to run. */
  notInFile?: boolean;
  /**
   * Whether the value is a path, which is relative to the config file. So is that of a `<file>` or `<dir>`.
   */
  path?: boolean;
  /** Whether the value is a secret: a file can hold it, whose path is in the variable `<variable>_FILE`. */
  secret?: boolean;
  /** The value when neither the option nor the variable is given. */
  fallback?: string | boolean | readonly string[];
  description: string;
  /** Whether the option may be given several times, with one value each. */
  repeatable?: boolean;
  /** For a switch: adds `--no-<name>`, to override the environment, and says what that does. */
  negatable?: string;
}>;

/** The options of a command, by the names of its settings. */
export type OptionTexts<Names extends string> = Readonly<Record<Names, OptionText>>;

/** The options that commander has parsed. */
export type ParsedOptions = Pick<Command, 'getOptionValue' | 'getOptionValueSource'>;

/** Declares the options of a command, with their defaults and environment variables in the help text. */
export const addOptions = (command: Command, options: OptionTexts<string>): void => {
  for (const option of Object.values(options)) {
    if (option.repeatable === true) command.option(option.flags, withHints(option), appended);
    else command.option(option.flags, withHints(option));
    const negated = negatedOption(option);
    if (negated !== null) command.option(negated.flags, negated.description);
  }
};

/** The option `--no-<name>` of a switch; null if it has none. */
export const negatedOption = ({
  flags,
  negatable,
  fallback,
}: OptionText): Readonly<{ flags: string; description: string }> | null =>
  negatable === undefined
    ? null
    : {
        flags: negatedFlag(flags),
        description: fallback === false ? `${negatable} (default)` : negatable,
      };

const appended = (value: string, previous: readonly string[] = []): readonly string[] => [...previous, value];

/** A description with the default and the environment variables, as the help text shows it. */
export const withHints = (
  option: Pick<OptionText, 'description' | 'fallback' | 'variable' | 'generic' | 'secret'>,
): string => {
  const { description, fallback } = option;
  const variables = variablesOf(option);
  const hints = [
    ...(typeof fallback === 'string' ? [`default: ${fallback}`] : []),
    ...(variables.length === 0 ? [] : [`environment: ${variables.join(' or ')}`]),
  ];
  return hints.length === 0 ? description : `${description} (${hints.join('; ')})`;
};

/** The environment variables that set an option. */
export const variablesOf = ({
  variable,
  generic,
  secret = false,
}: Pick<OptionText, 'variable' | 'generic' | 'secret'>): readonly string[] =>
  [variable, generic?.variable].flatMap((name) =>
    name === undefined ? [] : secret ? [name, fileVariable(name)] : [name],
  );
