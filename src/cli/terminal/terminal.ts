import { escapeControlCharacters, escapeControlCharactersInLines } from '../../common/messages.js';

export const exitCode = {
  done: 0,
  failed: 1,
  /** The command line or the environment is invalid. */
  usage: 2,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** What commands need of the process. Everything else is passed to them. */
export type Terminal = Readonly<{
  /** Writes a line to standard output. */
  out: (line: string) => void;
  /** Writes a text of several lines to standard output. */
  text: (text: string) => void;
  /** Writes a line to standard error. */
  err: (line: string) => void;
  /**
   * Shows a line that replaces the previous one; `''` clears it. Does nothing if standard error is not a
   * terminal.
   */
  progress: (line: string) => void;
  /** How many bytes of what was written to a stream wait for its reader. */
  unwritten: (stream: 'out' | 'err') => number;
  /** Reads standard input to its end. */
  input: () => AsyncIterable<unknown>;
  pid: number;
  /** The id of the user who runs it; null where files belong to nobody. */
  user: number | null;
  outIsTerminal: boolean;
  errIsTerminal: boolean;
  /**
   * Resolves with the name of the first signal after this call that asks the process to end, such as SIGTERM,
   * which then does not end it. A second signal does.
   */
  onSignal: () => Promise<string>;
  /** Opens an address in a browser. Resolves with why that failed, or null. */
  openBrowser: (url: string) => Promise<string | null>;
}>;

/**
 * A terminal that escapes whatever could make people misread its output, no matter which command writes it:
 * names, addresses and responses come from others, and none of them may begin a line of its own.
 */
export const escapingTerminal = (terminal: Terminal): Terminal => ({
  ...terminal,
  out: (line) => terminal.out(escapeControlCharacters(line)),
  text: (text) => terminal.text(escapeControlCharactersInLines(text)),
  err: (line) => terminal.err(escapeControlCharacters(line)),
  progress: (line) => terminal.progress(escapeControlCharacters(line)),
});

/** Prints lines to standard error, in place of the progress, and returns the exit code. */
export const fail = (
  { err, progress }: Pick<Terminal, 'err' | 'progress'>,
  lines: readonly string[],
  code: ExitCode = exitCode.failed,
): ExitCode => {
  progress('');
  for (const line of lines) err(line);
  return code;
};

/** Tells from now on whether a signal has come, which then does not end the process. */
export const interruption = ({ onSignal }: Pick<Terminal, 'onSignal'>): (() => boolean) => {
  let isInterrupted = false;
  void onSignal().then(() => {
    isInterrupted = true;
  });
  return () => isInterrupted;
};
