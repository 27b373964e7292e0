/** What commands need of the process: everything else they are given. */
export type Terminal = Readonly<{
  /** Writes a line to standard output. */
  out: (line: string) => void;
  /** Writes a line to standard error. */
  err: (line: string) => void;
  /** Shows how far long work has come, in place of what it showed before; '' takes it away. Only where people look. */
  progress: (text: string) => void;
  pid: number;
  isRunning: (pid: number) => boolean;
  outIsTerminal: boolean;
  errIsTerminal: boolean;
  /** From this call on, a first SIGINT or SIGTERM resolves this instead of ending the process; a second ends it. */
  signalled: () => Promise<string>;
}>;
