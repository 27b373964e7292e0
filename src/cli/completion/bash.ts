import {
  type Completed,
  type DescribedCommand,
  type DescribedOption,
  programOptions,
} from './described-command.js';

const flagsOf = ({ short, long }: DescribedOption): readonly string[] =>
  short === null ? [long] : [short, long];

/** What sets `COMPREPLY`. Without any, and with `-o default`, bash offers files. */
const reply = (completed: Completed | null): string => {
  if (completed === 'file') return '';
  if (completed === 'directory') return '_triage_api_directories "$cur"; ';
  return completed === null || completed === 'any'
    ? '_triage_api_nothing; '
    : `_triage_api_words ${quoted(completed)} "$cur"; `;
};

const quoted = (words: readonly string[]): string => `'${words.join(' ')}'`;

const valuesOf = ({ name, options }: DescribedCommand): readonly string[] =>
  options.flatMap((option) =>
    option.value === null
      ? []
      : [
          `    ${flagsOf(option)
            .map((flag) => `'${name} ${flag}'`)
            .join(' | ')}) ${reply(option.value.completed)}return ;;`,
        ],
  );

/** A completion script for bash, from version 3.2 on, without other packages. */
export const bashCompletion = (commands: readonly DescribedCommand[], defaultCommand: string): string =>
  `# bash completion of triage-api. To use it: source <(triage-api completion bash)

_triage_api_words() {
  COMPREPLY=($(compgen -W "$1" -- "$2"))
  _triage_api_nothing
}

_triage_api_nothing() {
  compopt +o default 2>/dev/null
}

_triage_api_directories() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen -d -- "$1"))
}

_triage_api() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" command=${defaultCommand}
  COMPREPLY=()
  # Bash makes three words of --option=value.
  if [ "$cur" = = ]; then
    cur=''
  elif [ "$prev" = = ] && [ "$COMP_CWORD" -gt 2 ]; then
    prev="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  if [ "$COMP_CWORD" -gt 1 ]; then
    case "\${COMP_WORDS[1]}" in
    ${commands.map(({ name }) => name).join(' | ')}) command="\${COMP_WORDS[1]}" ;;
    esac
  fi
  case "$command $prev" in
${commands.flatMap(valuesOf).join('\n')}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then
    case "$cur" in
    -*) ;;
    *) _triage_api_words ${quoted(commands.map(({ name }) => name))} "$cur"; return ;;
    esac
  fi
  case "$command $cur" in
${commands
  .map(({ name, options }) => {
    const more = name === defaultCommand ? programOptions : [];
    return `    '${name} -'*) _triage_api_words ${quoted([...options, ...more].flatMap(flagsOf))} "$cur" ;;`;
  })
  .join('\n')}
${commands.map(({ name, argument }) => `    '${name} '*) ${reply(argument)};;`).join('\n')}
  esac
}

complete -o default -F _triage_api triage-api
`;
