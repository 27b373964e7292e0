/** What commands need of the process. Everything else is passed to them. */
export type Terminal = Readonly<{
  /** Writes a line to standard output. */
  out: (line: string) => void;
  /** Writes a line to standard error. */
  err: (line: string) => void;
  /**
   * Shows a line that replaces the previous one; `''` clears it. Does nothing if standard error is not a
   * terminal.
   */
  progress: (line: string) => void;
  /** Reads standard input to its end. */
  input: () => AsyncIterable<unknown>;
  /** The id of this process. */
  pid: number;
  isRunning: (pid: number) => boolean;
  outIsTerminal: boolean;
  errIsTerminal: boolean;
  /**
   * Resolves with the name of the first SIGINT or SIGTERM after this call, which then does not end the
   * process. A second signal does.
   */
  onSignal: () => Promise<string>;
  /** Opens an address in a browser. Resolves with why that failed, or null. */
  openBrowser: (url: string) => Promise<string | null>;
}>;
