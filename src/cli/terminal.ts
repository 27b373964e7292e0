/** What commands need of the process: everything else they are given. */
export type Terminal = Readonly<{
  /** Writes a line to standard output. */
  out: (line: string) => void;
  /** Writes a line to standard error. */
  err: (line: string) => void;
  /** Shows a line that the next one takes the place of; `''` takes it away. Nothing where standard error is no terminal. */
  progress: (line: string) => void;
  pid: number;
  isRunning: (pid: number) => boolean;
  outIsTerminal: boolean;
  errIsTerminal: boolean;
  /** From this call on, a first SIGINT or SIGTERM resolves this instead of ending the process; a second ends it. */
  signalled: () => Promise<string>;
}>;
