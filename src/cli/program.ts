import { Command, CommanderError } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import { check } from './check.js';
import { diffServers } from './diff.js';
import { DiffSettings, diffOptions } from './diff-settings.js';
import { type ExitCode, exitCode } from './exit-code.js';
import { addOptions, type Environment, readSettings } from './options.js';
import { serve } from './serve.js';
import { ServeSettings, serveOptions } from './serve-settings.js';
import { shippedFixtures } from './shipped-fixtures.js';
import type { Terminal } from './terminal.js';
import { verifyServer } from './verify.js';
import { VerifySettings, verifyOptions } from './verify-settings.js';

/** Runs the command that `words` (the command line without the program's name) ask for, to its exit code. */
export const run = async (
  words: readonly string[],
  environment: Environment,
  terminal: Terminal,
  version: string,
): Promise<ExitCode> => {
  let code: ExitCode = exitCode.done;
  const usage = (lines: readonly string[]): void => {
    for (const line of lines) terminal.err(line);
    code = exitCode.usage;
  };

  const program = new Command('triage-api')
    .description('The dependency-vulnerability triage API v1 from fixtures.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
      outputError: (text, write) => write(text.trim().replaceAll('\n', ' ')),
    })
    .addHelpText(
      'after',
      '\nWithout a command, it serves.\nIt exits with 0 when all went well, 1 when the fixtures are bad, the server cannot start, breaks the contract or is not the same, 2 when called in a wrong way.',
    );

  const serveCommand = program.command('serve', { isDefault: true });
  addOptions(serveCommand, serveOptions)
    .description('serve the API over HTTP')
    .action(async () => {
      const settings = readSettings(ServeSettings, serveOptions, serveCommand, environment);
      if (E.isLeft(settings)) usage(settings.left);
      else code = await serve(settings.right, terminal);
    });

  program
    .command('check')
    .description('validate fixtures: every problem with file, line and column, or what each tenant has')
    .argument(
      '[dir]',
      `directory of fixture files (default: ${shippedFixtures}; environment: TRIAGE_FIXTURES)`,
    )
    .action(async (directory: string | undefined) => {
      code = await check(directory || environment.TRIAGE_FIXTURES || shippedFixtures, terminal);
    });

  const verifyCommand = program.command('verify');
  addOptions(verifyCommand, verifyOptions)
    .description('judge a server against the contract of the API v1, by safe requests alone')
    .action(async () => {
      const settings = readSettings(VerifySettings, verifyOptions, verifyCommand, environment);
      if (E.isLeft(settings)) usage(settings.left);
      else code = await verifyServer(settings.right, terminal);
    });

  const diffCommand = program.command('diff');
  addOptions(diffCommand, diffOptions)
    .description('tell how two servers answer the same requests differently')
    .action(async () => {
      const settings = readSettings(DiffSettings, diffOptions, diffCommand, environment);
      if (E.isLeft(settings)) usage(settings.left);
      else code = await diffServers(settings.right, terminal);
    });

  const unknown = words[0];
  const known = [...program.commands.map((command) => command.name()), 'help'];
  if (unknown !== undefined && !unknown.startsWith('-') && !known.includes(unknown)) {
    usage([`error: unknown command '${unknown}' (commands: ${known.join(', ')})`]);
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
