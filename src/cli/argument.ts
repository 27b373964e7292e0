/** The positional argument of a command. */
export type Argument = Readonly<{
  /** In the syntax of commander: `<dir>` is required, `[dir]` is optional, `<file...>` is one or several. */
  syntax: string;
  description: string;
  /** The environment variable and the default that replace an optional argument. */
  variable?: string;
  /** Its name in a config file. */
  key?: string;
  fallback?: string;
}>;
