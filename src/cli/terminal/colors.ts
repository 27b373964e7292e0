import { styleText } from 'node:util';
import type { Environment } from '../settings/setting-sources.js';

/**
 * Whether what is written to a stream gets colours: `FORCE_COLOR` decides, if it is set (`0` and `false` mean
 * no). Otherwise only terminals get any, and none with `NO_COLOR`, `NODE_DISABLE_COLORS` or `TERM=dumb`.
 */
export const hasColors = (isTerminal: boolean, environment: Environment): boolean => {
  const { FORCE_COLOR, NO_COLOR, NODE_DISABLE_COLORS, TERM } = environment;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isTerminal && !NO_COLOR && !NODE_DISABLE_COLORS && TERM !== 'dumb';
};

type Style = Parameters<typeof styleText>[0];

/** What is styled in the lines that commands write: the first group of each pattern. */
const rules: readonly (readonly [RegExp, Style])[] = [
  // Errors and warnings, of commands and in the log.
  [/^(error:|refused:|Failed:|--[a-z][a-z-]*(?=: )|environment variable \w+(?=: ))/gm, 'red'],
  [/^(warning:|warn:)/gm, 'yellow'],
  // Where a fixture has a problem.
  [/^([^\s{"][^\n]*?:\d+:\d+)(?=[: ])/gm, 'bold'],
  // The access log.
  [/^(5\d\d)(?= [A-Z]+ \/)/gm, 'red'],
  [/^(4\d\d)(?= [A-Z]+ \/)/gm, 'yellow'],
  // Headings and comments of the help.
  [/^((?:Usage|Arguments|Options|Commands|Examples|Exit codes):)/gm, 'bold'],
  [/^( {2}# .*)(?=\n {2}\$ )/gm, 'dim'],
  [/(?<=^listening on )(\S+)/gm, 'cyan'],
  [/(?<=^\d+ tenants?, )(no problems)$/gm, 'green'],
];

/**
 * Adds colours to lines, as many as help to find the beginning of an error and no more. To be called with
 * text whose control characters have been escaped.
 */
export const colored = (text: string): string =>
  rules.reduce(
    (styled, [pattern, style]) =>
      // The stream was looked at before, by rules that are the same in all versions of Node.
      styled.replace(pattern, (found) => styleText(style, found, { validateStream: false })),
    text,
  );
