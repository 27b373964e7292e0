import type { Command } from 'commander';
import * as E from '#fp-ts/Either';
import {
  addOptions,
  type Environment,
  type OptionTexts,
  type SettingsReader,
  variablesOf,
  withHints,
} from './settings/options.js';
import type { ExitCode } from './terminal/exit-code.js';
import type { Terminal } from './terminal/terminal.js';

/** What a command is run with, and what it reports back. */
export type CommandContext = Readonly<{
  environment: Environment;
  terminal: Terminal;
  /** The version of the program. */
  version: string;
  onExit: (code: ExitCode) => void;
  /** Receives one line for each invalid setting. */
  onUsageError: (lines: readonly string[]) => void;
}>;

/** A command of the program. */
export type CliCommand = Readonly<{
  name: string;
  /** Adds the command to the program. */
  add: (program: Command, context: CommandContext) => void;
  /** The environment variables that it reads. */
  variables: readonly string[];
}>;

/** The positional argument of a command. */
type Argument = Readonly<{
  /** In the syntax of commander: `<dir>` is required, `[dir]` is optional, `<file...>` is one or several. */
  syntax: string;
  description: string;
  /** The environment variable and the default that replace an optional argument. */
  variable?: string;
  fallback?: string;
}>;

type Definition<Settings> = Readonly<{
  name: string;
  description: string;
  argument?: Argument;
  /** Whether it runs when the command line names no command. */
  isDefault?: boolean;
  options: OptionTexts<string>;
  readSettings: SettingsReader<Settings>;
  /**
   * `argument` is empty for a command that takes none. `words` are all arguments, for a command that takes
   * several.
   */
  run: (
    settings: Settings,
    terminal: Terminal,
    argument: string,
    version: string,
    words: readonly string[],
  ) => ExitCode | Promise<ExitCode>;
}>;

/** A command as data: what the help shows, how its settings are read, and what it does. */
export const defineCommand = <Settings>(definition: Definition<Settings>): CliCommand => {
  const { name, description, argument, isDefault = false, options, readSettings, run } = definition;
  return {
    name,
    variables: [...Object.values(options), argument ?? {}].flatMap(variablesOf),
    add: (program, { environment, terminal, version, onExit, onUsageError }) => {
      const command = program.command(name, { isDefault }).description(description);
      if (argument !== undefined) command.argument(argument.syntax, withHints(argument));
      addOptions(command, options);
      command.action(async () => {
        const settings = readSettings(command, environment);
        if (E.isLeft(settings)) onUsageError(settings.left);
        else {
          const value = argumentOf(command, argument, environment);
          onExit(await run(settings.right, terminal, value, version, command.args));
        }
      });
    },
  };
};

const argumentOf = (command: Command, argument: Argument | undefined, environment: Environment): string =>
  command.args[0] || environment[argument?.variable ?? ''] || argument?.fallback || '';
