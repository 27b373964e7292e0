import { styleText } from 'node:util';
import type { Environment } from '../settings/read-settings.js';
import type { Terminal } from './terminal.js';

/**
 * Whether what is written to a stream gets colours: `FORCE_COLOR` decides, if it is set (`0` and `false` mean
 * no). Otherwise only terminals get any, and none with `NO_COLOR`, `NODE_DISABLE_COLORS` or `TERM=dumb`.
 */
const hasColors = (isTerminal: boolean, environment: Environment): boolean => {
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
const colored = (text: string): string =>
  rules.reduce(
    (styled, [pattern, style]) =>
      // The stream was looked at before, by rules that are the same in all versions of Node.
      styled.replace(pattern, (found) => styleText(style, found, { validateStream: false })),
    text,
  );

/** What lines get that are written to a stream: colours, or nothing. */
export const styleFor = (isTerminal: boolean, environment: Environment): ((text: string) => string) =>
  hasColors(isTerminal, environment) ? colored : (text) => text;

type Screen = Readonly<{ write: (text: string) => void; columns: () => number }>;

/** The width of terminals that do not tell theirs. */
const usualColumns = 80;

/**
 * Draws a line in place of the previous one; `''` removes it. It is shorter than the terminal is wide. What
 * is too wide nevertheless, because some characters take two columns, is cut by the terminal, which is told
 * not to wrap it. One that has become narrower since has wrapped the line, and all parts of it are erased.
 */
export const progressLine = ({ write, columns }: Screen): ((text: string) => void) => {
  let shown: readonly string[] = [];
  return (text) => {
    const width = Math.max(2, columns() || usualColumns);
    const characters = Array.from(text);
    const next = characters.length < width ? characters : [...characters.slice(0, width - 2), '…'];
    if (next.join('') === shown.join('')) return;
    const above = Math.ceil(shown.length / width) - 1;
    const removal = shown.length === 0 ? '' : `\r${above > 0 ? `\u001b[${above}A` : ''}\u001b[J`;
    write(`${removal}${next.length === 0 ? '' : `\u001b[?7l${next.join('')}\u001b[?7h`}`);
    shown = next;
  };
};

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** The terminal, or the pipes, of a process. `isInterrupted`: whether a signal has asked it to end. */
export const processTerminal = (
  node: NodeJS.Process,
): Terminal & Readonly<{ isInterrupted: () => boolean }> => {
  let isInterrupted = false;
  const { stdout, stderr, env } = node;
  const [outIsTerminal, errIsTerminal] = [stdout.isTTY === true, stderr.isTTY === true];
  const draw = progressLine({ write: (text) => stderr.write(text), columns: () => stderr.columns });
  // A log of CI shows each state of the line, although CI may have a terminal.
  const showsProgress = errIsTerminal && env.TERM !== 'dumb' && !env.CI;
  const writeTo = (stream: NodeJS.WriteStream, isTerminal: boolean): ((text: string) => void) => {
    const style = styleFor(isTerminal, env);
    return (text) => {
      if (isTerminal) draw('');
      stream.write(`${style(text)}\n`);
    };
  };
  const out = writeTo(stdout, outIsTerminal);
  return {
    out,
    text: out,
    err: writeTo(stderr, errIsTerminal),
    progress: (text) => {
      if (showsProgress) draw(text);
    },
    unwritten: (stream) => (stream === 'out' ? stdout : stderr).writableLength,
    isInterrupted: () => isInterrupted,
    input: () => node.stdin,
    pid: node.pid,
    user: node.getuid?.() ?? null,
    outIsTerminal,
    errIsTerminal,
    onSignal: () =>
      new Promise((resolve) => {
        const listener = (signal: string): void => {
          for (const each of signals) node.off(each, listener);
          isInterrupted = true;
          resolve(signal);
        };
        for (const each of signals) node.on(each, listener);
      }),
    // Loaded on demand: few servers open a browser.
    openBrowser: async (url) =>
      (await import('./open-browser.js')).openBrowser(url, { platform: node.platform, environment: env }),
  };
};
