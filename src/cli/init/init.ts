import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { defineCommand } from '../define-command.js';
import { displayPath } from '../output/display-path.js';
import { shellCommand } from '../output/shell-command.js';
import { writeFilesTogether } from '../output/write-files-together.js';
import type { OptionTexts } from '../settings/options.js';
import { Switch } from '../settings/setting-codecs.js';
import { settingsReader } from '../settings/settings-reader.js';
import { type ExitCode, exitCode } from '../terminal/exit-code.js';
import type { Terminal } from '../terminal/terminal.js';
import { schemaReference } from './schema-reference.js';
import { starterFixture, starterName, starterReadme } from './starter-files.js';

const InitSettings = t.strict({ force: Switch }, 'InitSettings');
type InitSettings = t.TypeOf<typeof InitSettings>;

export const initOptions: OptionTexts<keyof InitSettings> = {
  force: {
    flags: '--force',
    variable: 'TRIAGE_FORCE',
    notInFile: true,
    fallback: false,
    negatable: 'refuse to overwrite existing files',
    description: 'write into a directory that has fixtures, and overwrite files that exist',
  },
};

/** Writes a first fixture and a README that explains it, and prints what to do next. */
const init = async ({ force }: InitSettings, terminal: Terminal, argument: string): Promise<ExitCode> => {
  const directory = displayPath(argument);
  const fail = (lines: readonly string[]): ExitCode => {
    for (const line of lines) terminal.err(line);
    return exitCode.failed;
  };
  const others = force ? [] : await fixturesIn(directory);
  if (others.length > 0)
    return fail([
      `${directory} already has ${others.join(', ')}, and every *.json file is read as a tenant; ` +
        'choose another directory, or pass --force',
    ]);

  const serve = ['serve', '--fixtures', directory];
  const script = `"triage": ${JSON.stringify(shellCommand(serve).replace(/^npx /, ''))}`;
  const check = shellCommand(['check', directory]);
  const readme = starterReadme({
    serve: shellCommand(serve),
    check,
    complete: shellCommand(['check', '--complete', join(directory, `${starterName}.json`)]),
    script,
  });
  const { reference, files } = await schemaReference(directory);
  const written = [
    { file: join(directory, `${starterName}.json`), pieces: [starterFixture(reference)] },
    { file: join(directory, 'README.md'), pieces: [readme] },
    ...files,
  ];
  const result = await writeFilesTogether(written, { force, pid: terminal.pid });
  if (E.isLeft(result)) return fail(result.left);
  for (const { file } of written) terminal.out(`wrote ${file}`);
  terminal.out('');
  terminal.out('Check and serve it:');
  terminal.out(`  ${check}`);
  terminal.out(`  ${shellCommand(serve)}`);
  terminal.out('');
  terminal.out('While it is served, in another shell:');
  terminal.out(`  curl -H 'Authorization: Bearer ${starterName}-token' http://127.0.0.1:4000/api/v1/prs`);
  terminal.out('');
  terminal.out('As a script in package.json:');
  terminal.out(`  ${script}`);
  return exitCode.done;
};

/** The first few files of a directory that would be read as fixtures; none if it cannot be read. */
const fixturesIn = async (directory: string): Promise<readonly string[]> => {
  const names = await readdir(directory).catch((): readonly string[] => []);
  return names.filter((name) => name.endsWith('.json') && !/^[._]/.test(name)).slice(0, 3);
};

/** `triage-api init`. */
export const initCommand = defineCommand({
  name: 'init',
  description: 'write a first fixture file to a directory, with a README that explains it',
  argument: { syntax: '<dir>', description: 'directory to write to; it is created if missing' },
  options: initOptions,
  examples: [
    { does: 'write a first fixture file', command: 'triage-api init my-fixtures' },
    { does: 'write it again, over the old one', command: 'triage-api init my-fixtures --force' },
  ],
  readSettings: settingsReader(InitSettings, initOptions),
  run: init,
});
