import type { Command } from 'commander';
import type * as t from 'io-ts';
import { type Optional, optional } from '../../contract/codecs/combinators.js';
import { Switch } from './codecs.js';

/** What some options have besides their flags, their codec, their default and their description. */
type Details = Readonly<{
  /** Its environment variable, unless that is `TRIAGE_<OPTION>`; null: none, nor can a config file set it. */
  variable?: string | null;
  /** A variable that other programs read as well. It counts only if this codec accepts its value. */
  common?: Readonly<{ variable: string; accepts: t.Mixed }>;
  /** A variable of other programs that is never read here; if it is all there is, a note says so. */
  foreign?: string;
  /** Whether a config file cannot set it: it is a decision about a single run, or names code to run. */
  notInFile?: boolean;
  /** Whether the value may be a name instead of a path; only a path is relative to the config file. */
  isPathOrName?: boolean;
  /** Whether the value is a secret: a file can hold it, whose path is in the variable `<variable>_FILE`. */
  isSecret?: boolean;
  /** Whether the option may be given several times, with one value each. */
  isRepeatable?: boolean;
}>;

/** An option of a command: all that its help, the environment, the config file and the documents need. */
export type Option<C extends t.Mixed = t.Mixed> = Details &
  Readonly<{
    /** In the syntax of commander: `-p, --port <port>`. */
    flags: string;
    /** Decodes the text of the option or its variable. */
    codec: C;
    description: string;
    default?: string | boolean | readonly string[];
    isRequired?: boolean;
  }>;

/** The options of a command, by the names of its settings, in the order of the help. */
export type Options = Readonly<Record<string, Option>>;

/** What a command gets of its options. */
export type SettingsOf<O extends Options> = { readonly [K in keyof O]: t.TypeOf<O[K]['codec']> };

/** A switch, which `--no-<name>` turns off. */
export const flag = (
  flags: string,
  description: string,
  details: Details & Readonly<{ default?: boolean }> = {},
): Option<typeof Switch> => ({ flags, codec: Switch, description, default: false, ...details });

/** An option that may be left out. */
export const value = <A, O>(
  flags: string,
  codec: t.Type<A, O>,
  description: string,
  details: Details = {},
): Option<Optional<A, O>> => ({ flags, codec: optional(codec), description, ...details });

/** An option with a default. */
export const valueOr = <C extends t.Mixed>(
  flags: string,
  codec: C,
  byDefault: string | readonly string[],
  description: string,
  details: Details = {},
): Option<C> => ({ flags, codec, default: byDefault, description, ...details });

/** An option without which the command cannot run. */
export const required = <C extends t.Mixed>(
  flags: string,
  codec: C,
  description: string,
  details: Details = {},
): Option<C> => ({ flags, codec, isRequired: true, description, ...details });

/** `--max-signups` of `--max-signups <count>`. */
export const longFlag = ({ flags }: Pick<Option, 'flags'>): string =>
  flags.replace(/^.*(--[a-z-]+).*$/, '$1');

/** `--no-watch` of `--watch`. */
export const negatedFlag = (option: Option): string => longFlag(option).replace('--', '--no-');

/** Whether there is an option that turns it off, to override the environment. */
export const isNegatable = ({ flags, variable }: Option): boolean =>
  !flags.includes('<') && variable !== null;

/** The name of an option in a config file, and in commander: `maxSignups` of `--max-signups <count>`. */
export const keyOf = (option: Pick<Option, 'flags'>): string =>
  longFlag(option)
    .slice(2)
    .replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The environment variable of an option: `TRIAGE_MAX_SIGNUPS` of `--max-signups`; null if it has none. */
export const variableOf = (option: Option): string | null =>
  option.variable === undefined
    ? `TRIAGE_${longFlag(option).slice(2).replaceAll('-', '_').toUpperCase()}`
    : option.variable;

/** The variable that names a file with the value of a secret. */
export const fileVariable = (variable: string): string => `${variable}_FILE`;

/** All environment variables that set an option. */
export const variablesOf = (option: Option): readonly string[] =>
  [variableOf(option), option.common?.variable ?? null].flatMap((name) =>
    name === null ? [] : option.isSecret === true ? [name, fileVariable(name)] : [name],
  );

/** Whether a config file can set it. */
export const isInFile = (option: Option): boolean => option.variable !== null && option.notInFile !== true;

/** What the help says in parentheses about an option: its default, and variables one cannot derive. */
const hintsOf = (option: Option): readonly string[] => {
  const { default: byDefault, isRequired = false, variable, common } = option;
  return [
    ...(isRequired ? ['required'] : []),
    ...(typeof byDefault === 'string'
      ? [`default: ${byDefault}`]
      : byDefault === true
        ? ['default: on']
        : []),
    ...(typeof variable === 'string' ? [`environment: ${variable}`] : []),
    ...(common === undefined ? [] : [`or ${common.variable}`]),
  ];
};

/** Declares the options of a command to commander, in groups of the help. */
export const addOptions = (
  command: Command,
  options: Options,
  groups: Readonly<Record<string, Options>> = {},
): void => {
  for (const [name, option] of Object.entries(options)) {
    const hints = hintsOf(option);
    const added = command.createOption(
      option.flags,
      hints.length === 0 ? option.description : `${option.description} (${hints.join('; ')})`,
    );
    if (option.isRepeatable === true)
      added.argParser((text: string, previous: readonly string[] = []): readonly string[] => [
        ...previous,
        text,
      ]);
    const [group] = Object.entries(groups).find(([, table]) => Object.hasOwn(table, name)) ?? [];
    const heading = group === undefined ? 'Options:' : `${group}:`;
    command.addOption(added.helpGroup(heading));
    if (isNegatable(option))
      command.addOption(command.createOption(negatedFlag(option)).hideHelp().helpGroup(heading));
  }
  const negatable = Object.values(options)
    .filter(isNegatable)
    .map(({ flags }) => flags);
  command.configureHelp({
    ...command.configureHelp(),
    optionTerm: ({ flags }) => (negatable.includes(flags) ? flags.replace('--', '--[no-]') : flags),
  });
};
