import { readFileSync } from 'node:fs';
import { runLater } from '../common/timers.js';

/** The command lines that are answered before anything else is loaded. */
const versionWords: readonly string[] = ['-v', '-V', '--version'];

const versionIn = (manifest: unknown): string =>
  typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : 'unknown';

/**
 * The entry of the command line: runs the program with this process, and sets the exit code of the process.
 * Each part of the program is loaded only when it is needed, so that printing the version costs little more
 * than the start of Node.
 */
export const main = async (node: NodeJS.Process): Promise<void> => {
  const words = node.argv.slice(2);
  const version = versionIn(
    JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')),
  );
  // The reader of the output may close it early (`| head`), which must not crash the process.
  node.stdout.on('error', () => {});
  if (words.length === 1 && versionWords.includes(words[0] ?? '')) {
    node.stdout.write(`${version}\n`);
    return;
  }
  node.stderr.on('error', () => {});
  // Without a listener, Node would open a debugger that any program of this machine may use.
  node.on('SIGUSR1', () => {});
  // Files that this process writes may contain hashes of secrets, so only its user may read them.
  node.umask(0o077);
  const { processTerminal } = await import('./terminal/process-terminal.js');
  const terminal = processTerminal(node);
  const { run } = await import('./program.js');
  node.exitCode = await run(words, node.env, terminal, version);
  // A storage of somebody else may leave something open that keeps the process alive: a connection, a timer.
  const end = (): void => {
    const isWritten = node.stdout.writableLength + node.stderr.writableLength === 0;
    // Whoever sends a signal does not wait for somebody who does not read.
    if (isWritten || terminal.isInterrupted()) node.exit();
    else runLater(timeToEnd, end);
  };
  runLater(timeToEnd, end);
};

/** How long what has been left open may go on after the end of a command, in milliseconds. */
const timeToEnd = 1500;
