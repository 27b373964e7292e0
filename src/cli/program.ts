import { Command, CommanderError, Option } from 'commander';
import type { CliCommand } from './cli-command.js';
import { examplesText } from './define-command.js';
import type { Environment } from './settings/setting-sources.js';
import { unknownVariables } from './settings/unknown-variables.js';
import { type ExitCode, escapingTerminal, exitCode, exitCodes, type Terminal } from './terminal/terminal.js';
import { unknownCommandError, withReplacement } from './unknown-words.js';

/**
 * Every command by its name, in the order of the help text. Only those that a command line is about are
 * loaded: the others would make the start of `serve` slower by what they import.
 */
export const commands: Readonly<Record<string, () => Promise<CliCommand>>> = {
  serve: async () => (await import('./serve/serve.js')).serveCommand,
  explore: async () => (await import('./explore.js')).exploreCommand,
  migrate: async () => (await import('./db/migrate.js')).migrateCommand,
  import: async () => (await import('./db/import.js')).importCommand,
  'delete-tenant': async () => (await import('./db/delete-tenant.js')).deleteTenantCommand,
  purge: async () => (await import('./db/purge.js')).purgeCommand,
  healthcheck: async () => (await import('./healthcheck/healthcheck.js')).healthcheckCommand,
  init: async () => (await import('./init.js')).initCommand,
  generate: async () => (await import('./generate.js')).generateCommand,
  check: async () => (await import('./check.js')).checkCommand,
  openapi: async () => (await import('./openapi.js')).openapiCommand,
  verify: async () => (await import('./verify.js')).verifyCommand,
  diff: async () => (await import('./diff.js')).diffCommand,
  record: async () => (await import('./record.js')).recordCommand,
  'import-from': async () => (await import('./import-from.js')).importFromCommand,
  config: async () => (await import('./config/config.js')).configCommand,
};

const defaultCommand = 'serve';

/** The examples in the help of the program. */
export const programExamples = [
  { does: 'serve the shipped fixtures on port 4000', command: 'triage-api' },
  {
    does: 'write a first fixture file, and serve it',
    command: 'triage-api init my-fixtures && triage-api -f my-fixtures',
  },
] as const;

const names = Object.keys(commands);

/** Words that may ask for the help or the version of the program. */
const asksAboutProgram = /^-(?:[hvV]|-help|-version)/;

/** Whether a command line is `help help`, which commander takes for an error. */
const asksAboutHelp = ([first, second]: readonly string[]): boolean => first === 'help' && second === 'help';

/** The names of the commands that a command line is about: one, or all of them if it asks for help. */
const namesIn = (words: readonly string[]): readonly string[] => {
  const [first = defaultCommand] = words;
  if (names.includes(first)) return [first];
  return first.startsWith('-') && !words.some((word) => asksAboutProgram.test(word))
    ? [defaultCommand]
    : names;
};

const load = (wanted: readonly string[]): Promise<readonly CliCommand[]> =>
  Promise.all(wanted.flatMap((name) => commands[name]?.() ?? []));

/** Loads all commands. */
export const loadCommands = (): Promise<readonly CliCommand[]> => load(names);

/** What is wrong with the name of a command, also after `help`; null if nothing is. */
const unknownCommand = (words: readonly string[]): string | null => {
  const name = words[0] === 'help' ? words[1] : words[0];
  const known = [...names, 'help'];
  const isKnown = name === undefined || name.startsWith('-') || known.includes(name);
  return isKnown ? null : unknownCommandError(name, known);
};

/** The lines about variables that no command reads. All commands are loaded only if there may be one. */
const linesAboutVariables = async (
  environment: Environment,
  loaded: readonly CliCommand[],
): Promise<readonly string[]> => {
  const linesFor = (known: readonly CliCommand[]): readonly string[] =>
    unknownVariables(
      environment,
      known.flatMap(({ variables }) => variables),
    );
  return linesFor(loaded).length === 0 ? [] : linesFor(await load(names));
};

/**
 * Runs a command line (`words`, without the name of the program) and returns the exit code of the process.
 */
export const run = async (
  words: readonly string[],
  environment: Environment,
  rawTerminal: Terminal,
  version: string,
): Promise<ExitCode> => {
  const terminal = escapingTerminal(rawTerminal);
  let code: ExitCode = exitCode.done;
  const onExit = (exit: ExitCode): void => {
    code = exit;
  };
  const onUsageError = (lines: readonly string[]): void => {
    for (const line of lines) terminal.err(line);
    code = exitCode.usage;
  };

  const program = new Command('triage-api')
    .description('The dependency-vulnerability triage API v1, served from fixtures or from a database.')
    .version(version, '-v, --version', 'print the version')
    .addOption(new Option('-V').hideHelp())
    .on('option:V', () => {
      terminal.out(version);
      throw new CommanderError(0, 'commander.version', version);
    })
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .configureHelp({ minWidthToWrap: 20 })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
      // The value of an option whose name is misspelt may be a secret.
      outputError: (text, write) =>
        write(
          withReplacement(text.trim())
            .replaceAll('\n', ' ')
            .replace(/('--[^'=]*=).*(?=')/s, '$1…'),
        ),
    })
    .addHelpText(
      'after',
      [
        '',
        'The default command is serve. Each command explains its options:',
        'triage-api <command> --help.',
        '',
        `Exit codes: ${exitCodes.map(({ code: each, meaning }) => `${each} ${meaning}`).join(', ')}.`,
        '',
        examplesText(programExamples),
      ].join('\n'),
    );
  const loaded = await load(namesIn(words));
  for (const command of loaded)
    command.add(program, { environment, terminal, version, onExit, onUsageError, loadCommands });
  program.hook('preAction', async () => {
    for (const line of await linesAboutVariables(environment, loaded)) terminal.err(line);
  });

  const unknown = unknownCommand(words);
  if (unknown !== null) {
    onUsageError([withReplacement(unknown)]);
    return code;
  }
  try {
    await program.parseAsync(asksAboutHelp(words) ? ['help'] : words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCode.done : exitCode.usage;
  }
  return code;
};
