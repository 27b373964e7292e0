/** The environment variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A value of a config file in the form that codecs of settings decode, and its place, `file:line`. */
export type FileValue = Readonly<{ value: unknown; place: string }>;

/** What the config file sets for a command, by the names of its keys. */
export type FileValues = ReadonlyMap<string, FileValue>;

/** Everything besides the command line that settings come from. */
export type SettingSources = Readonly<{ environment: Environment; file: FileValues }>;

/** Where the value of a setting comes from. */
export type Origin = Readonly<{
  /** `generic`: a variable such as `PORT`, which other programs read as well. */
  kind: 'option' | 'variable' | 'generic' | 'file' | 'default';
  /** The option, the variable, or the place in the config file; for a default, the option. */
  name: string;
}>;

/** The origin in front of an error. */
export const originPrefix = ({ kind, name }: Origin): string =>
  kind === 'variable' || kind === 'generic' ? `environment variable ${name}` : name;

/** The origin as a reader looks it up. */
export const originLabel = ({ kind, name }: Origin): string => (kind === 'default' ? 'default' : name);
