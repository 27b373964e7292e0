import {
  type Completed,
  type DescribedCommand,
  type DescribedOption,
  programOptions,
} from './described-command.js';

/** Text inside of single quotes and of the brackets or colons of a specification. */
const text = (value: string): string => value.replaceAll(/[\\:[\]]/g, '\\$&').replaceAll("'", "'\\''");

const action = (completed: Completed): string => {
  if (completed === 'file') return '_files';
  if (completed === 'directory') return '_files -/';
  return completed === 'any' ? ' ' : `(${completed.join(' ')})`;
};

/** The specification of an option for `_arguments`, one for each form. */
const specifications = ({ short, long, value, description, isRepeatable }: DescribedOption): string => {
  const star = isRepeatable ? '*' : '';
  const exclusive = isRepeatable || short === null ? '' : `(${short} ${long})`;
  const rest =
    value === null
      ? `[${text(description)}]`
      : `[${text(description)}]:${text(value.name.slice(1, -1))}:${action(value.completed)}`;
  const forms = [
    ...(short === null ? [] : [value === null ? short : `${short}+`]),
    value === null ? long : `${long}=`,
  ];
  return forms.map((form) => `'${star}${exclusive}${form}${rest}'`).join(' ');
};

const argumentOf = ({ argument, isVariadic }: DescribedCommand): readonly string[] =>
  argument === null ? [] : [`'${isVariadic ? '*' : '1'}:argument:${action(argument)}'`];

const caseOf = (command: DescribedCommand, isDefault: boolean): string => {
  const options = [...command.options, ...(isDefault ? programOptions : [])];
  const lines = [...options.map(specifications), ...argumentOf(command)];
  return `    ${command.name})
      _arguments -s -S \\
${lines.map((line) => `        ${line}`).join(' \\\n')}
      ;;`;
};

/** A completion script for zsh, to be evaluated or to be put into a directory of `fpath`. */
export const zshCompletion = (commands: readonly DescribedCommand[], defaultCommand: string): string =>
  `#compdef triage-api
# zsh completion of triage-api. To use it: source <(triage-api completion zsh)

_triage_api() {
  local -a commands
  local command=${defaultCommand}
  commands=(
${commands.map(({ name, description }) => `    '${text(name)}:${text(description)}'`).join('\n')}
  )
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    _describe 'command' commands
    return
  fi
  if [[ -n \${(M)commands:#$words[2]:*} ]]; then
    command=$words[2]
    shift words
    (( CURRENT-- ))
  fi
  case $command in
${commands.map((command) => caseOf(command, command.name === defaultCommand)).join('\n')}
  esac
}

if [[ $funcstack[1] == _triage_api ]]; then
  _triage_api "$@"
else
  compdef _triage_api triage-api
fi
`;
