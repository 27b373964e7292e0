import type { Argument } from '../argument.js';
import type { CliCommand } from '../cli-command.js';
import { negatedOption, type OptionText } from '../settings/options.js';

/** What a shell offers as a value. `any` is text that it cannot know. */
export type Completed = 'file' | 'directory' | 'any' | readonly string[];

/** An option, as shells and manual pages need it. */
export type DescribedOption = Readonly<{
  /** `-p`; null: it has none. */
  short: string | null;
  /** `--port`. */
  long: string;
  /** What its value is called, `<port>`, and what is offered for it; null for a switch. */
  value: Readonly<{ name: string; completed: Completed }> | null;
  description: string;
  isRepeatable: boolean;
}>;

/** A command, as shells and manual pages need it. */
export type DescribedCommand = Readonly<{
  name: string;
  description: string;
  options: readonly DescribedOption[];
  /** What is offered for its arguments; null if it takes none. */
  argument: Completed | null;
  isVariadic: boolean;
}>;

const completedFor = (name: string, choices: readonly string[] | undefined): Completed => {
  if (choices !== undefined) return choices;
  if (/^<?\[?(?:file|path)\b/.test(name)) return 'file';
  return /^<?\[?dir\b/.test(name) ? 'directory' : 'any';
};

const describedOption = ({
  flags,
  description,
  choices,
  repeatable,
}: Pick<OptionText, 'flags' | 'description' | 'choices' | 'repeatable'>): DescribedOption => {
  const [, short = null, long = '', value] = /^(?:(-\w), )?(--[\w-]+)(?: (<[^>]+>))?$/.exec(flags) ?? [];
  const name = value?.replace('...', '');
  return {
    short,
    long,
    value: name === undefined ? null : { name, completed: completedFor(name, choices) },
    description,
    isRepeatable: repeatable === true || value?.includes('...') === true,
  };
};

/** The options of a command, those that negate others included, and `--help`. */
const describedOptions = (options: CliCommand['options']): readonly DescribedOption[] => [
  ...Object.values(options).flatMap((option) => {
    const negated = negatedOption(option);
    return [describedOption(option), ...(negated === null ? [] : [describedOption(negated)])];
  }),
  describedOption({ flags: '-h, --help', description: 'print this help' }),
];

const completedArgument = (argument: Argument | undefined): Completed | null =>
  argument === undefined ? null : completedFor(argument.syntax, argument.choices);

/** A command, with its options in the order of its help. */
export const describedCommand = ({
  name,
  description,
  argument,
  options,
}: Pick<CliCommand, 'name' | 'description' | 'argument' | 'options'>): DescribedCommand => ({
  name,
  description,
  options: describedOptions(options),
  argument: completedArgument(argument),
  isVariadic: argument?.syntax.includes('...') === true,
});

/** All commands, with `help`. The argument of some is the name of another one. */
export const describedCommands = (commands: readonly CliCommand[]): readonly DescribedCommand[] => {
  const names = commands.map(({ name }) => name);
  return [
    ...commands.map((command) => ({
      ...describedCommand(command),
      ...(command.argument?.namesCommand === true ? { argument: names } : {}),
    })),
    {
      name: 'help',
      description: 'print the help of a command',
      options: [],
      argument: names,
      isVariadic: false,
    },
  ];
};

/** The options that stand in place of a command. Others are those of the default command. */
export const programOptions: readonly DescribedOption[] = [
  describedOption({ flags: '-v, --version', description: 'print the version' }),
];
