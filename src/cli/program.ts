import { Command, CommanderError } from 'commander';
import { checkCommand } from './check/check.js';
import type { CliCommand } from './define-command.js';
import { deleteTenantCommand } from './delete-tenant/delete-tenant.js';
import { diffCommand } from './diff/diff.js';
import { healthcheckCommand } from './healthcheck/healthcheck.js';
import { importCommand } from './import/import.js';
import { migrateCommand } from './migrate/migrate.js';
import { openapiCommand } from './openapi/openapi.js';
import { purgeCommand } from './purge/purge.js';
import { recordCommand } from './record/record.js';
import { recountCommand } from './recount/recount.js';
import { serveCommand } from './serve/serve.js';
import type { Environment } from './settings/options.js';
import { unknownVariables } from './settings/unknown-variables.js';
import { escapingTerminal } from './terminal/escaping-terminal.js';
import { type ExitCode, exitCode } from './terminal/exit-code.js';
import type { Terminal } from './terminal/terminal.js';
import { verifyCommand } from './verify/verify.js';

/** Every command, in the order of the help text. */
const commands: readonly CliCommand[] = [
  serveCommand,
  migrateCommand,
  importCommand,
  deleteTenantCommand,
  purgeCommand,
  recountCommand,
  healthcheckCommand,
  checkCommand,
  openapiCommand,
  verifyCommand,
  diffCommand,
  recordCommand,
];

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
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
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
      '\nThe default command is serve.\nExit codes: 0 success, 1 failure, 2 invalid command line or environment.',
    );
  for (const command of commands)
    command.add(program, { environment, terminal, version, onExit, onUsageError });
  const variables = commands.flatMap((command) => command.variables);
  program.hook('preAction', () => {
    for (const line of unknownVariables(environment, variables)) terminal.err(line);
  });

  const name = words[0];
  const known = [...program.commands.map((command) => command.name()), 'help'];
  if (name !== undefined && !name.startsWith('-') && !known.includes(name)) {
    onUsageError([`error: unknown command '${name}' (commands: ${known.join(', ')})`]);
    return code;
  }
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCode.done : exitCode.usage;
  }
  return code;
};
