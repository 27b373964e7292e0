import { colored, hasColors } from './colors.js';
import { lazyProgressLine } from './lazy-progress-line.js';
import type { Terminal } from './terminal.js';

const signals = ['SIGINT', 'SIGTERM'] as const;

/** The terminal, or the pipes, of a process. */
export const processTerminal = (node: NodeJS.Process): Terminal => {
  const { stdout, stderr, env } = node;
  const [outIsTerminal, errIsTerminal] = [stdout.isTTY === true, stderr.isTTY === true];
  const line = lazyProgressLine({ write: (text) => stderr.write(text), columns: () => stderr.columns });
  // A log of CI shows each state of the line, although CI may have a terminal.
  const showsProgress = errIsTerminal && env.TERM !== 'dumb' && !env.CI;
  const writeTo = (stream: NodeJS.WriteStream, isTerminal: boolean): ((text: string) => void) => {
    const style = hasColors(isTerminal, env) ? colored : (text: string): string => text;
    return (text) => {
      if (isTerminal) line.clear();
      stream.write(`${style(text)}\n`);
    };
  };
  return {
    out: writeTo(stdout, outIsTerminal),
    err: writeTo(stderr, errIsTerminal),
    progress: (text) => {
      if (!showsProgress) return;
      if (text === '') line.clear();
      else line.show(text);
    },
    input: () => node.stdin,
    pid: node.pid,
    isRunning: (pid) => {
      try {
        return node.kill(pid, 0);
      } catch (error) {
        // EPERM: the process exists and belongs to another user.
        return error instanceof Error && 'code' in error && error.code === 'EPERM';
      }
    },
    outIsTerminal,
    errIsTerminal,
    onSignal: () =>
      new Promise((resolve) => {
        const listener = (signal: string): void => {
          for (const each of signals) node.off(each, listener);
          resolve(signal);
        };
        for (const each of signals) node.on(each, listener);
      }),
    // Loaded on demand: few servers open a browser.
    openBrowser: async (url) =>
      (await import('./open-browser.js')).openBrowser(url, { platform: node.platform, environment: env }),
  };
};
