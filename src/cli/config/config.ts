import { Command, CommanderError } from 'commander';
import * as E from '#fp-ts/Either';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { examplesText } from '../define-command.js';
import { addOptions, type OptionTexts, variablesOf } from '../settings/options.js';
import type { SettingSources } from '../settings/setting-sources.js';
import { exitCode } from '../terminal/terminal.js';
import { unknownCommandError, withReplacement } from '../unknown-words.js';
import { configProblems } from './check-config.js';
import { valuesFor } from './checked-values.js';
import { chosenConfig, configOptions } from './config-options.js';
import { findConfig } from './find-config.js';
import { type ExplainedCommand, formatExplained } from './format-explained.js';

const name = 'config';

const description = 'print the settings of all commands, or of one, and the source of each value';

const options: OptionTexts<'json' | keyof typeof configOptions> = {
  json: { flags: '--json', description: 'print JSON' },
  ...configOptions,
};

const argument = {
  syntax: '[command]',
  description: 'the command; its options may follow, to see what they change',
} as const;

const examples = [
  { does: 'show what serve would be started with', command: 'triage-api config serve' },
  { does: 'the same with an option, as JSON', command: 'triage-api config serve --port 4100 --json' },
] as const;

/** The settings of a command with these options. Throws if they are not options of the command. */
const explain = async (
  command: CliCommand,
  words: readonly string[],
  sources: SettingSources,
): Promise<ExplainedCommand> => {
  const parser = new Command(command.name)
    .helpOption(false)
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .action(() => {});
  addOptions(parser, command.options);
  await parser.parseAsync(words, { from: 'user' });
  return { command: command.name, ...(await command.explain(parser, sources)) };
};

/** Prints the settings. Gives what is wrong with the command line or the settings, one line each. */
const printSettings = async (
  parsed: Command,
  { environment, terminal, loadCommands }: Pick<CommandContext, 'environment' | 'terminal' | 'loadCommands'>,
): Promise<readonly string[]> => {
  const [wanted, ...words] = parsed.args;
  const all = await loadCommands();
  const commands = all.filter(
    (command) => command.name !== name && (wanted ?? command.name) === command.name,
  );
  if (wanted !== undefined && commands.length === 0) {
    const known = all.map((command) => command.name).filter((each) => each !== name);
    return [unknownCommandError(wanted, known)];
  }
  const config = await findConfig(chosenConfig(parsed, environment));
  if (E.isLeft(config)) return config.left;
  const file = config.right;
  const problems = file === null ? [] : file.format(await configProblems(file, all));
  if (problems.length > 0) return problems;
  const explained: ExplainedCommand[] = [];
  for (const command of commands) {
    const values = file === null ? new Map() : await valuesFor(command, file);
    explained.push(await explain(command, words, { environment, file: values }));
  }
  terminal.out(formatExplained(file?.file ?? null, explained, parsed.getOptionValue('json') === true));
  const wrong = explained.flatMap(({ settings, conflicts }) => [
    ...settings.flatMap(({ problem }) => problem ?? []),
    ...conflicts,
  ]);
  // Several commands may have the same setting.
  return Array.from(new Set(wrong));
};

/** `triage-api config`. It takes the options of other commands, so it is no command like them. */
export const configCommand: CliCommand = {
  name,
  description,
  argument,
  options,
  examples,
  sections: [],
  fileSettings: async () => [],
  explain: async () => ({ settings: [], conflicts: [] }),
  variables: Object.values(options).flatMap(variablesOf),
  add: (program, context) => {
    const command = program
      .command(name)
      .description(description)
      .argument(argument.syntax, argument.description)
      .allowUnknownOption()
      .allowExcessArguments();
    addOptions(command, options);
    command.helpOption('-h, --help', 'print this help').addHelpText('after', `\n${examplesText(examples)}`);
    command.action(async () => {
      const lines = await printSettings(command, context).catch((error: unknown) => {
        if (error instanceof CommanderError) return [withReplacement(error.message)];
        throw error;
      });
      if (lines.length === 0) context.onExit(exitCode.done);
      else context.onUsageError(lines);
    });
  },
};
