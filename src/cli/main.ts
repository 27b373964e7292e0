import { readFileSync } from 'node:fs';
import * as t from 'io-ts';
import { run } from './program.js';
import type { Terminal } from './terminal/terminal.js';

const Manifest = t.type({ version: t.string });

/**
 * The entry of the command line: runs the program with this process, and sets the exit code of the process.
 */
export const main = async (node: NodeJS.Process): Promise<void> => {
  // Files that this process writes may contain hashes of secrets, so only its user may read them.
  node.umask(0o077);
  // The reader of the output may close it early (`| head`), which must not crash the process.
  for (const stream of [node.stdout, node.stderr]) stream.on('error', () => {});
  const manifest: unknown = JSON.parse(
    readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
  );
  node.exitCode = await run(
    node.argv.slice(2),
    node.env,
    terminalOf(node),
    Manifest.is(manifest) ? manifest.version : 'unknown',
  );
  // A storage of somebody else may leave something open that keeps the process alive: a connection, a timer.
  const end = (): void => {
    if (node.stdout.writableLength + node.stderr.writableLength === 0) node.exit();
    else setTimeout(end, timeToEnd).unref();
  };
  setTimeout(end, timeToEnd).unref();
};

/** How long what has been left open may go on after the end of a command, in milliseconds. */
const timeToEnd = 2000;

const terminalOf = (node: NodeJS.Process): Terminal => ({
  out: (line) => node.stdout.write(`${line}\n`),
  err: (line) => node.stderr.write(`${line}\n`),
  progress: (line) => {
    if (node.stderr.isTTY === true) node.stderr.write(`\r\u001b[2K${line}`);
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
  outIsTerminal: node.stdout.isTTY === true,
  errIsTerminal: node.stderr.isTTY === true,
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
    (await import('./terminal/open-browser.js')).openBrowser(url, {
      platform: node.platform,
      environment: node.env,
    }),
});

const signals = ['SIGINT', 'SIGTERM'] as const;
