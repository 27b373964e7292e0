import type { CliCommand, Example } from '../../src/cli/cli-command.js';
import {
  type DescribedOption,
  describedCommand,
  programOptions,
} from '../../src/cli/completion/described-command.js';
import { configName, packageKey, packageName } from '../../src/cli/config/config-places.js';
import { commands, programExamples } from '../../src/cli/program.js';
import { withHints } from '../../src/cli/settings/options.js';
import { exitCodes } from '../../src/cli/terminal/exit-code.js';
import { root } from '../inventory/_shipped-packages.js';

/** Text of a manual page: signs that have a meaning there lose it. */
const text = (value: string): string =>
  value
    // The page is the same on all machines.
    .replaceAll(`${root}fixtures`, 'those of the package')
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^(?=[.'])/gm, '\\&');

const bold = (value: string): string => `\\fB${text(value)}\\fR`;

const italic = (value: string): string => `\\fI${text(value)}\\fR`;

const entry = (term: string, description: string): string => `.TP\n${term}\n${text(description)}`;

/** `-p, --port <port>` in the fonts of manual pages. */
const termOf = ({ short, long, value }: DescribedOption): string =>
  `${[...(short === null ? [] : [short]), long].map(bold).join(', ')}${value === null ? '' : ` ${italic(value.name)}`}`;

const exampleLines = (examples: readonly Example[]): readonly string[] =>
  examples.flatMap(({ does, command }) => [
    '.PP',
    `${text(does.charAt(0).toUpperCase() + does.slice(1))}:`,
    '.PP',
    '.nf',
    '.RS',
    text(command),
    '.RE',
    '.fi',
  ]);

const commandSection = (command: CliCommand): readonly string[] => {
  const { name, description, argument, options, examples } = command;
  const hinted = Object.fromEntries(
    Object.entries(options).map(([key, option]) => [key, { ...option, description: withHints(option) }]),
  );
  return [
    `.SS "triage\\-api ${text(name)}${argument === undefined ? '' : ` ${text(argument.syntax)}`}"`,
    `${text(description.charAt(0).toUpperCase() + description.slice(1))}.`,
    ...(argument === undefined ? [] : [entry(italic(argument.syntax), withHints(argument))]),
    ...describedCommand({ ...command, options: hinted }).options.map((option) =>
      entry(termOf(option), option.description),
    ),
    ...exampleLines(examples),
  ];
};

/** The manual page of the program, made of the same data as its help and its completion. */
export const manualPage = async (): Promise<string> => {
  const all = await Promise.all(Object.values(commands).map((load) => load()));
  return `${[
    '.\\" Written by npm run derive.',
    '.TH TRIAGE\\-API 1 "" "triage\\-api" "User Commands"',
    '.SH NAME',
    'triage\\-api \\- serve and check the dependency\\-vulnerability triage API v1',
    '.SH SYNOPSIS',
    `${bold('triage-api')} [${italic('command')}] [${italic('options')}]`,
    '.SH DESCRIPTION',
    'The dependency\\-vulnerability triage API v1, served from fixtures or from a database.',
    `The default command is ${bold('serve')}.`,
    '.PP',
    `An option overrides its environment variable, which overrides the config file, which overrides the default. ${bold('triage-api config')} shows what counts.`,
    '.SH OPTIONS',
    ...programOptions.map((option) => entry(termOf(option), option.description)),
    entry(`${bold('-h')}, ${bold('--help')}`, 'print the help of the program or of a command'),
    '.SH COMMANDS',
    ...all.flatMap(commandSection),
    '.SH EXIT STATUS',
    ...exitCodes.map(({ code, meaning }) => entry(bold(String(code)), meaning)),
    '.SH FILES',
    entry(bold(configName), 'settings, as JSON, in the working directory'),
    entry(bold(packageName), `the same under the key ${packageKey}, without secrets`),
    '.SH EXAMPLES',
    ...exampleLines(programExamples).slice(1),
  ].join('\n')}\n`;
};
