import {
  type Completed,
  type DescribedCommand,
  type DescribedOption,
  programOptions,
} from './described-command.js';

const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;

const values = (completed: Completed, needsValue: boolean): string => {
  if (completed === 'file') return needsValue ? '-r -F' : '-F';
  const words = completed === 'directory' ? '(__fish_complete_directories)' : null;
  const offered =
    words ?? (completed === 'any' ? '' : typeof completed === 'string' ? '' : completed.join(' '));
  return `${needsValue ? '-x' : '-f'}${offered === '' ? '' : ` -a ${quoted(offered)}`}`;
};

const optionLine = (condition: string, { short, long, value, description }: DescribedOption): string =>
  [
    `complete -c triage-api -n ${quoted(condition)}`,
    ...(short === null ? [] : [`-s ${short.slice(1)}`]),
    `-l ${long.slice(2)}`,
    ...(value === null ? [] : [values(value.completed, true)]),
    `-d ${quoted(description)}`,
  ].join(' ');

const linesOf = (command: DescribedCommand, isDefault: boolean): readonly string[] => {
  const condition = `test (__triage_api_command) = ${command.name}`;
  return [
    ...command.options.map((option) => optionLine(condition, option)),
    ...(isDefault ? programOptions.map((option) => optionLine(condition, option)) : []),
    ...(command.argument === null || command.argument === 'any'
      ? []
      : [
          `complete -c triage-api -n ${quoted(`${condition}; and not __triage_api_is_first`)} ${values(command.argument, false)}`,
        ]),
  ];
};

/** A completion script for fish. */
export const fishCompletion = (commands: readonly DescribedCommand[], defaultCommand: string): string =>
  `# fish completion of triage-api. To use it: triage-api completion fish | source

function __triage_api_is_first
  test (count (commandline -opc)) -eq 1
end

function __triage_api_command
  set -l words (commandline -opc)
  if test (count $words) -gt 1; and contains -- $words[2] ${commands.map(({ name }) => name).join(' ')}
    echo $words[2]
  else
    echo ${defaultCommand}
  end
end

complete -c triage-api -f
${commands
  .map(
    ({ name, description }) =>
      `complete -c triage-api -n __triage_api_is_first -a ${name} -d ${quoted(description)}`,
  )
  .join('\n')}
${commands.flatMap((command) => linesOf(command, command.name === defaultCommand)).join('\n')}
`;
