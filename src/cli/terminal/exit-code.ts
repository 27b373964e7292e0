/** The exit codes of the process. */
export const exitCode = {
  done: 0,
  /** The command failed. */
  failed: 1,
  /** The command line or the environment is invalid. */
  usage: 2,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** What they mean, for the help. */
export const exitCodes: readonly Readonly<{ code: ExitCode; meaning: string }>[] = [
  { code: exitCode.done, meaning: 'success' },
  { code: exitCode.failed, meaning: 'failure' },
  { code: exitCode.usage, meaning: 'invalid command line or environment' },
];
