import { dirname } from 'node:path';
import { isOneFile } from '../../fixtures/read-fixtures.js';
import { watchFixtures } from '../serve/watch-fixtures.js';
import { type ExitCode, exitCode } from '../terminal/exit-code.js';
import type { Terminal } from '../terminal/terminal.js';

/** The directories in which changes of some paths happen. */
const foldersOf = async (paths: readonly string[]): Promise<readonly string[]> => {
  const folders = new Set<string>();
  for (const path of paths) folders.add((await isOneFile(path)) ? dirname(path) : path);
  return [...folders];
};

/** Runs a check, and runs it again after each change of the files, until a signal. */
export const watchCheck = async (
  paths: readonly string[],
  runCheck: () => Promise<unknown>,
  terminal: Terminal,
): Promise<ExitCode> => {
  const stopped = terminal.onSignal();
  const watchers = (await foldersOf(paths)).map((folder) =>
    watchFixtures(folder, (_level, event, fields = {}) =>
      terminal.err(`warning: ${event}: ${folder}: ${String(fields.cause)}`),
    ),
  );
  const report = async (): Promise<void> => {
    await runCheck();
    terminal.err('waiting for changes; Ctrl-C ends this');
  };
  // Changes of several directories at once are checked one after the other.
  let last = report();
  for (const { onChange } of watchers)
    onChange(() => {
      last = last.then(() => {
        terminal.out('');
        return report();
      });
      return last;
    });
  await stopped;
  for (const { stop } of watchers) stop();
  terminal.progress('');
  return exitCode.done;
};
