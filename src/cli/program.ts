import { Command, CommanderError, Help, Option } from 'commander';
import { nearest } from '../common/messages.js';
import { addCommand, type CliCommand, type CommandContext, examplesText } from './define-command.js';
import type { FileSetting } from './settings/config-file.js';
import { variablesOf } from './settings/option.js';
import type { Environment } from './settings/read-settings.js';
import { type ExitCode, escapingTerminal, exitCode, type Terminal } from './terminal/terminal.js';

const databaseHeading = 'PostgreSQL:';

/**
 * Every command by its name, in the groups and the order of the help. Only those that a command line is about
 * are loaded: the others would make the start of `serve` slower by what they import.
 */
const groups: Readonly<Record<string, Readonly<Record<string, () => Promise<CliCommand>>>>> = {
  'Commands:': {
    serve: async () => (await import('./serve/serve.js')).serveCommand,
    explore: async () => (await import('./serve/serve.js')).exploreCommand,
    demo: async () => (await import('./demo.js')).demoCommand,
    init: async () => (await import('./init.js')).initCommand,
    generate: async () => (await import('./generate.js')).generateCommand,
    'import-from': async () => (await import('./import-from.js')).importFromCommand,
    check: async () => (await import('./check.js')).checkCommand,
    verify: async () => (await import('./verify.js')).verifyCommand,
    record: async () => (await import('./record.js')).recordCommand,
    diff: async () => (await import('./diff.js')).diffCommand,
    coverage: async () => (await import('./coverage.js')).coverageCommand,
    mutate: async () => (await import('./mutate/mutate.js')).mutateCommand,
  },
  [databaseHeading]: {
    'db migrate': async () => (await import('./db.js')).migrateCommand,
    'db import': async () => (await import('./db.js')).importCommand,
    'db delete-tenant': async () => (await import('./db.js')).deleteTenantCommand,
    'db purge': async () => (await import('./db.js')).purgeCommand,
  },
  'For programs:': {
    openapi: async () => (await import('./openapi.js')).openapiCommand,
    healthcheck: async () => (await import('./healthcheck.js')).healthcheckCommand,
  },
};

/** Every command by its name. */
export const commands = Object.fromEntries(
  Object.values(groups).flatMap(Object.entries<() => Promise<CliCommand>>),
);

/** Loads all commands. */
export const loadCommands = (): Promise<readonly CliCommand[]> => load(Object.keys(commands));

/** Loads the settings of all commands as a config file sees them. */
export const loadSettings = async (): Promise<readonly FileSetting[]> => {
  const loaded = await loadCommands();
  return (await Promise.all(loaded.map(({ fileSettings }) => fileSettings()))).flat();
};

const load = (wanted: readonly string[]): Promise<readonly CliCommand[]> =>
  Promise.all(wanted.flatMap((name) => commands[name]?.() ?? []));

const defaultCommand = 'serve';

export const programExamples = {
  'serve the shipped fixtures on port 4000': 'triage-api',
  'write a first fixture file, and serve it': 'triage-api init my-fixtures && triage-api -f my-fixtures',
} as const;

/** The words of a command line: `help db migrate` is `db migrate --help`. */
const normalized = (words: readonly string[]): readonly string[] =>
  words[0] === 'help' && words.length > 1
    ? [...words.slice(1).filter((word) => word !== 'help'), '--help']
    : words;

/** What is wrong with the name of a command; null if nothing is. */
const unknownCommand = ([first = '', second = '']: readonly string[]): string | null => {
  const names = Object.keys(commands);
  const below = names.filter((name) => name.startsWith('db ')).map((name) => name.slice(3));
  const [name, known] =
    first === 'db' ? [second, below] : [first, [...names.filter((each) => !each.includes(' ')), 'db']];
  if (name === '' || name.startsWith('-') || [...known, 'help'].includes(name)) return null;
  const found = nearest(name, first === 'db' ? known : [...known, ...below]);
  const suggestion = found !== null && first !== 'db' && below.includes(found) ? `db ${found}` : found;
  // `import` may be meant for a database, or be the beginning of `import-from`.
  const longer = known.filter((each) => each.startsWith(`${name}-`));
  const hint =
    suggestion === null
      ? `commands: ${known.join(', ')}`
      : `Did you mean ${[suggestion, ...longer].join(' or ')}?`;
  return `error: unknown command '${first === 'db' ? `db ${name}` : name}' (${hint})`;
};

/** Words that may ask for the help or the version of the program. */
const asksAboutProgram = /^-(?:[hvV]|-help|-version)/;

/** The names of the commands that a command line is about: one, or all of them if it asks for help. */
const namesIn = (words: readonly string[]): readonly string[] => {
  const [first = defaultCommand, second = ''] = words;
  const name = first === 'db' ? `db ${second}` : first;
  if (Object.hasOwn(commands, name)) return [name];
  return first.startsWith('-') && !words.some((word) => asksAboutProgram.test(word))
    ? [defaultCommand]
    : Object.keys(commands);
};

const prefix = 'TRIAGE_';

/** A warning for each variable that looks like a setting of the program and is none of the known ones. */
const unknownVariables = (environment: Environment, loaded: readonly CliCommand[]): readonly string[] => {
  const known = loaded.flatMap(({ options }) => Object.values(options).flatMap(variablesOf));
  // The prefix that they share would make all of them look alike.
  const bareNames = known.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  return Object.keys(environment)
    .filter((name) => name.startsWith(prefix) && !known.includes(name))
    .sort()
    .map((name) => {
      const bare = name.slice(prefix.length);
      const best = nearest(bare, bareNames);
      const suggestion = known.includes(bare) ? bare : best === null ? null : `${prefix}${best}`;
      return `warning: no setting is called ${name}${suggestion === null ? '' : `; did you mean ${suggestion}?`}`;
    });
};

/**
 * Runs a command line (`words`, without the name of the program) and returns the exit code of the process.
 */
export const run = async (
  givenWords: readonly string[],
  environment: Environment,
  rawTerminal: Terminal,
  version: string,
): Promise<ExitCode> => {
  const terminal = escapingTerminal(rawTerminal);
  const words = normalized(givenWords);
  const unknown = unknownCommand(words);
  if (unknown !== null) {
    terminal.err(unknown);
    return exitCode.usage;
  }
  let code: ExitCode = exitCode.done;
  const loaded = await load(namesIn(words));
  const program = aProgram(terminal, version);
  const context: CommandContext = { environment, terminal, version, loadSettings };
  const database = program.createCommand('db').copyInheritedSettings(program);
  database
    .description('prepare, fill and clean a PostgreSQL database')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command');
  for (const [heading, table] of Object.entries(groups)) {
    if (heading === databaseHeading) program.addCommand(database.helpGroup(heading));
    for (const command of loaded.filter(({ name }) => Object.hasOwn(table, name))) {
      const parent = command.name.startsWith('db ') ? database : program;
      const added = addCommand(parent, command, async (parsed) => {
        // All commands are loaded only if there may be a mistake, and never for the checks of a container,
        // whose server has warned.
        if (command.name !== 'healthcheck' && unknownVariables(environment, loaded).length > 0)
          for (const line of unknownVariables(environment, await loadCommands())) terminal.err(line);
        code = await command.start(parsed, parsed.args, context);
      });
      parent.addCommand(added.helpGroup(heading), { isDefault: command.name === defaultCommand });
    }
  }
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCode.done : exitCode.usage;
  }
  return code;
};

/** How the help lists a command: `db import <path...>`. */
const termOf = (command: Command): string => {
  const term = new Help().subcommandTerm(command).replace(' [options]', '');
  return command.parent?.name() === 'db' ? `db ${term}` : term;
};

const aProgram = (terminal: Terminal, version: string): Command =>
  new Command('triage-api')
    .description('The dependency-vulnerability triage API v1, served from fixtures or from a database.')
    .version(version, '-v, --version', 'print the version')
    .addOption(new Option('-V').hideHelp())
    .on('option:V', () => {
      terminal.out(version);
      throw new CommanderError(0, 'commander.version', version);
    })
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .configureHelp({
      minWidthToWrap: 20,
      subcommandTerm: termOf,
      // The commands of `db` are listed among the others.
      visibleCommands: (command) =>
        command.commands.flatMap((each) => (each.commands.length > 0 ? each.commands : each)),
    })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.text(text.trimEnd()),
      writeErr: (text) => text.trimEnd().split('\n').forEach(terminal.err),
      // The value of an option whose name is misspelt may be a secret.
      outputError: (text, write) =>
        write(
          text
            .trim()
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
        'Exit codes: 0 success, 1 failure, 2 invalid command line or environment.',
        '',
        examplesText(programExamples),
      ].join('\n'),
    );
