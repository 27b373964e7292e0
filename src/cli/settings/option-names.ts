/** `--max-signups` of `--max-signups <count>`. */
export const longFlag = (flags: string): string => flags.replace(/^.*(--[a-z-]+).*$/, '$1');

/** `--no-watch` of `--watch`. */
export const negatedFlag = (flags: string): string => longFlag(flags).replace('--', '--no-');

/**
 * The name of an option in a config file, under which commander keeps the value as well: `maxSignups` of
 * `--max-signups <count>`.
 */
export const keyOf = (flags: string): string =>
  longFlag(flags)
    .slice(2)
    .replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The variable that names a file with the value of a secret. */
export const fileVariable = (variable: string): string => `${variable}_FILE`;
