/** What the process tells its caller when it ends. */
export const exitCode = {
  done: 0,
  /** What was to be checked or started failed. */
  failed: 1,
  /** Wrong usage or settings. */
  usage: 2,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];
