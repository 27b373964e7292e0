import type { Command } from 'commander';
import * as E from '#fp-ts/Either';
import type { Argument } from './argument.js';
import type { CliCommand, Example } from './cli-command.js';
import { chosenConfig, configOptions } from './config/config-options.js';
import { readFileValues } from './config/read-file-values.js';
import { addOptions, type OptionTexts, variablesOf, withHints } from './settings/options.js';
import type { SettingSources } from './settings/setting-sources.js';
import type { SettingsReader } from './settings/settings-reader.js';
import type { ExitCode, Terminal } from './terminal/terminal.js';

type Definition<Settings> = Readonly<{
  name: string;
  description: string;
  argument?: Argument;
  /** Whether it runs when the command line names no command. */
  isDefault?: boolean;
  options: OptionTexts<string>;
  /** The command whose settings in a config file count for this one too, unless it has its own. */
  sharesSettingsOf?: string;
  /** At least two. */
  examples: readonly [Example, Example, ...Example[]];
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
  const {
    name,
    description,
    argument,
    isDefault = false,
    sharesSettingsOf,
    examples,
    readSettings,
    run,
  } = definition;
  const options = { ...definition.options, ...configOptions };
  const self: CliCommand = {
    name,
    description,
    ...(argument === undefined ? {} : { argument }),
    options,
    examples,
    sections: sharesSettingsOf === undefined ? [name] : [name, sharesSettingsOf],
    fileSettings: async () =>
      (await import('./config/file-settings.js')).fileSettings(options, readSettings.codecs, argument),
    explain: async (...sources) =>
      (await import('./config/explain.js')).explainSettings(options, readSettings, ...sources),
    variables: [...Object.values(options), argument ?? {}].flatMap(variablesOf),
    add: (program, { environment, terminal, version, onExit, onUsageError, loadCommands }) => {
      const command = program.command(name, { isDefault }).description(description);
      if (argument !== undefined) command.argument(argument.syntax, withHints(argument));
      addOptions(command, options);
      command.helpOption('-h, --help', 'print this help').addHelpText('after', `\n${examplesText(examples)}`);
      command.action(async () => {
        // What stands for a path is often a variable, and an empty path would be the working directory.
        if (command.args.includes('')) return onUsageError([emptyArgumentError(argument)]);
        const file = await readFileValues(self, chosenConfig(command, environment), loadCommands);
        if (E.isLeft(file)) return onUsageError(file.left);
        const read = readSettings.read(command, { environment, file: file.right });
        if (E.isLeft(read)) return onUsageError(read.left);
        const value = argumentOf(command, argument, { environment, file: file.right });
        onExit(await run(read.right.settings, terminal, value, version, command.args));
      });
    },
  };
  return self;
};

const emptyArgumentError = ({ syntax = '' }: Partial<Argument> = {}): string =>
  `${syntax.replaceAll(/[^\w-]/g, '')}: expected text that is not empty, got ""`;

const argumentOf = (
  command: Command,
  argument: Argument | undefined,
  { environment, file }: SettingSources,
): string => {
  const given = command.args[0] || environment[argument?.variable ?? ''];
  const inFile = file.get(argument?.key ?? '')?.value;
  return given || (typeof inFile === 'string' ? inFile : argument?.fallback) || '';
};

/** The examples as the help shows them. */
export const examplesText = (examples: readonly Example[]): string =>
  ['Examples:', ...examples.flatMap(({ does, command }) => [`  # ${does}`, `  $ ${command}`])].join('\n');
