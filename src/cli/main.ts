import { readFileSync } from 'node:fs';
import * as t from 'io-ts';
import { run } from './program.js';
import type { Terminal } from './terminal.js';

const Manifest = t.type({ version: t.string });

/** The command line: hands the process to the program, and its exit code back to the process. */
export const main = async (node: NodeJS.Process): Promise<void> => {
  // What this process writes may hold hashes of secrets: it is for its user alone.
  node.umask(0o077);
  // Whoever reads the output may leave before its end (`| head`); that is no reason to crash.
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
};

const terminalOf = (node: NodeJS.Process): Terminal => ({
  out: (line) => node.stdout.write(`${line}\n`),
  err: (line) => node.stderr.write(`${line}\n`),
  progress: (line) => {
    if (node.stderr.isTTY === true) node.stderr.write(`\r\u001b[2K${line}`);
  },
  pid: node.pid,
  isRunning: (pid) => {
    try {
      return node.kill(pid, 0);
    } catch (error) {
      // It runs, but is not ours to signal.
      return error instanceof Error && 'code' in error && error.code === 'EPERM';
    }
  },
  outIsTerminal: node.stdout.isTTY === true,
  errIsTerminal: node.stderr.isTTY === true,
  signalled: () =>
    new Promise((resolve) => {
      const take = (signal: string): void => {
        for (const each of signals) node.off(each, take);
        resolve(signal);
      };
      for (const each of signals) node.on(each, take);
    }),
});

const signals = ['SIGINT', 'SIGTERM'] as const;
