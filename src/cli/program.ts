import { Command, CommanderError } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import { shippedFixtures } from '../server/shipped-fixtures.js';
import { check } from './check.js';
import { diffServers } from './diff.js';
import { DiffSettings, diffOptions } from './diff-settings.js';
import { type ExitCode, exitCode } from './exit-code.js';
import { HealthcheckSettings, healthcheck, healthcheckOptions } from './healthcheck.js';
import { importFixtures } from './import-fixtures.js';
import { ImportSettings, importOptions } from './import-settings.js';
import { MigrateSettings, migrateDatabase, migrateOptions } from './migrate-database.js';
import { openapi } from './openapi.js';
import { addOptions, type Environment, readSettings } from './options.js';
import { recordServer } from './record-server.js';
import { RecordSettings, recordOptions } from './record-settings.js';
import { serve } from './serve.js';
import { serveOptions, serveSettings } from './serve-settings.js';
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
    .description('The dependency-vulnerability triage API v1, from fixtures or from a database.')
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
      '\nWithout a command, it serves.\nIt exits with 0 when all went well, 1 when what it was to check, to prepare, to start or to judge failed, 2 when called in a wrong way.',
    );

  const serveCommand = program.command('serve', { isDefault: true });
  addOptions(serveCommand, serveOptions)
    .description('serve the API over HTTP')
    .action(async () => {
      const settings = serveSettings(serveCommand, environment);
      if (E.isLeft(settings)) usage(settings.left);
      else code = await serve(settings.right, terminal);
    });

  const migrateCommand = program.command('migrate');
  addOptions(migrateCommand, migrateOptions)
    .description('prepare a PostgreSQL database: apply the migrations of its schema that are not applied yet')
    .action(async () => {
      const settings = readSettings(MigrateSettings, migrateOptions, migrateCommand, environment);
      if (E.isLeft(settings)) usage(settings.left);
      else code = await migrateDatabase(settings.right, terminal);
    });

  const importCommand = program.command('import');
  addOptions(importCommand, importOptions)
    .description('load fixtures into a database, all of them or none')
    .argument('<dir>', 'directory of fixture files, one tenant each')
    .action(async (directory: string) => {
      const settings = readSettings(ImportSettings, importOptions, importCommand, environment);
      if (E.isLeft(settings)) usage(settings.left);
      else code = await importFixtures(directory, settings.right, terminal);
    });

  const healthcheckCommand = program.command('healthcheck');
  addOptions(healthcheckCommand, healthcheckOptions)
    .description('ask a server whether it can serve: exit code 0 when it is ready, else 1')
    .action(async () => {
      const settings = readSettings(HealthcheckSettings, healthcheckOptions, healthcheckCommand, environment);
      if (E.isLeft(settings)) usage(settings.left);
      else code = await healthcheck(settings.right, terminal);
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

  program
    .command('openapi')
    .description('print the OpenAPI 3.1 document of the API')
    .option(
      '--fixtures',
      'print the JSON Schema of fixture files instead, for editors and other tools',
      false,
    )
    .action((options: Readonly<{ fixtures: boolean }>) => openapi(options, terminal));

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

  const recordCommand = program.command('record');
  addOptions(recordCommand, recordOptions)
    .description('save what a session can see of a server as a fixture file')
    .argument('<file>', 'fixture file to write, *.json')
    .action(async (file: string) => {
      const settings = readSettings(RecordSettings, recordOptions, recordCommand, environment);
      if (E.isLeft(settings)) usage(settings.left);
      else code = await recordServer(file, settings.right, terminal);
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
