import type { Command } from 'commander';
import * as E from '#fp-ts/Either';
import { BaseUrl } from './settings/codecs.js';
import type { FileSetting } from './settings/config-file.js';
import { findConfig } from './settings/find-config.js';
import { addOptions, longFlag, type Option, type Options } from './settings/option.js';
import {
  type Environment,
  type FileValues,
  findSettings,
  type Origin,
  type ParsedOptions,
  type ReadSettings,
  readSettings,
  type Sources,
} from './settings/read-settings.js';
import { configOptions } from './settings/shared-options.js';
import { type ExitCode, exitCode, fail, type Terminal } from './terminal/terminal.js';

/** What a command is run with. */
export type CommandContext = Readonly<{
  environment: Environment;
  terminal: Terminal;
  version: string;
  /** Loads the settings of all commands, to check a config file. */
  loadSettings: () => Promise<readonly FileSetting[]>;
}>;

/** Command lines that the help shows, by what they do. */
type Examples = Readonly<Record<string, string>>;

/** What the help shows of a command. */
type Described<O extends Options> = Readonly<{
  /** `db migrate` for a command below another one. */
  name: string;
  description: string;
  /** In the syntax of commander: `<dir>` is required, `[dir]` is optional, `<file...>` is one or several. */
  argument?: readonly [syntax: string, description: string];
  options: O;
  /** The options in groups of the help, by their headings. */
  groups?: Readonly<Record<string, Options>>;
  /** At least two. */
  examples: Examples;
}>;

/** A command of the program, as data. */
export type CliCommand = Described<Options> &
  Readonly<{
    /** Its settings as a config file sees them. What knows their schemas is loaded only for that. */
    fileSettings: () => Promise<readonly FileSetting[]>;
    /** Runs it with these options and arguments. */
    start: (parsed: ParsedOptions, words: readonly string[], context: CommandContext) => Promise<ExitCode>;
  }>;

/** What a command runs with: its settings and where they come from, and the words that are no options. */
type Call<O extends Options> = ReadSettings<O> &
  Readonly<{
    terminal: Terminal;
    words: readonly string[];
    version: string;
  }>;

type Definition<O extends Options> = Described<O> &
  Readonly<{
    /** One line for each conflict between settings, or words, that are valid by themselves. */
    conflicts?: (call: Call<O>) => readonly string[];
    run: (call: Call<O>) => ExitCode | Promise<ExitCode>;
  }>;

/** A command as data: what the help shows, how its settings are read, and what it does. */
export const defineCommand = <O extends Options>(definition: Definition<O>): CliCommand => {
  const { conflicts = () => [], run, ...described } = definition;
  const options = { ...definition.options, ...configOptions };
  const fileSettings = async (): Promise<readonly FileSetting[]> =>
    (await import('./settings/config-file.js')).fileSettings(options);
  return {
    ...described,
    options,
    fileSettings,
    start: async (parsed, words, { environment, terminal, version, loadSettings }) => {
      const refuse = (lines: readonly string[]): ExitCode => fail(terminal, lines, exitCode.usage);
      // What stands for a path is often a variable, and an empty path would be the working directory.
      const [syntax = ''] = definition.argument ?? [];
      if (words.includes(''))
        return refuse([`${syntax.replaceAll(/[^\w-]/g, '')}: expected text that is not empty, got ""`]);
      const config = findConfig(parsed, environment, terminal.user);
      if (E.isLeft(config)) return refuse([config.left]);
      let file: FileValues = new Map();
      if (config.right !== null) {
        // What reads a config file is loaded only if there is one.
        const { readConfig } = await import('./settings/config-file.js');
        const values = await readConfig(config.right, await fileSettings(), loadSettings);
        if (E.isLeft(values)) return refuse(values.left);
        file = values.right;
      }
      const sources: Sources = { parsed, environment, file };
      const printsConfig = parsed.getOptionValue('printConfig') === true;
      if (printsConfig) {
        const { configText } = await import('./settings/config-file.js');
        terminal.text(configText(config.right?.file ?? null, findSettings(definition.options, sources)));
      }
      const read = readSettings(definition.options, sources);
      if (E.isLeft(read)) return refuse(read.left);
      const call = { ...read.right, terminal, words, version };
      const isSearched = config.right?.namedBy === null;
      const conflicting = [
        ...(isSearched ? strayCredentials(definition.options, call.origins) : []),
        ...conflicts(call),
      ];
      if (conflicting.length > 0) return refuse(conflicting);
      return printsConfig ? exitCode.done : run(call);
    },
  };
};

/** Refuses to send secrets of the environment to a server that only a file names, which was only found. */
const strayCredentials = (options: Options, origins: Readonly<Record<string, Origin>>): readonly string[] => {
  const namesOf = (kind: Origin['kind'], isMeant: (option: Option) => boolean): readonly string[] =>
    Object.entries(options).flatMap(([name, option]) =>
      isMeant(option) && origins[name]?.kind === kind ? origins[name].name : [],
    );
  const [place] = namesOf('file', ({ codec }) => codec === BaseUrl);
  const secrets = namesOf('variable', ({ isSecret }) => isSecret === true);
  return place === undefined || secrets.length === 0
    ? []
    : [
        `${secrets.join(' and ')}: not sent to the URL of ${place}, because that file was only found; name the file with --config, or pass the URL as an option`,
      ];
};

/** Declares a command to commander, which runs it with `onStart`. */
export const addCommand = (
  parent: Command,
  { name, description, argument, options, groups, examples }: CliCommand,
  onStart: (command: Command) => Promise<void>,
): Command => {
  const command = parent.createCommand(name.split(' ').at(-1)).copyInheritedSettings(parent);
  command.description(description);
  if (argument !== undefined) command.argument(...argument);
  addOptions(command, options, groups);
  command
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', `\n${variablesText}\n\n${examplesText(examples)}`);
  // A URL is often given as a word, and commander would not say where it belongs.
  const urls = Object.values(options).flatMap((each) => (each.codec === BaseUrl ? longFlag(each) : []));
  return command
    .allowExcessArguments(urls.length > 0)
    .action(() =>
      urls.length === 0 || command.args.length <= command.registeredArguments.length
        ? onStart(command)
        : command.error(`error: too many arguments for '${name}'; a URL is given with ${urls.join(' or ')}`),
    );
};

const variablesText = [
  'Each option has an environment variable, such as',
  'TRIAGE_PORT for --port or TRIAGE_WATCH=false for --no-watch.',
].join('\n');

/** The examples as the help shows them. */
export const examplesText = (examples: Examples): string =>
  ['Examples:', ...Object.entries(examples).flatMap(([does, line]) => [`  # ${does}`, `  $ ${line}`])].join(
    '\n',
  );
