export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Diagnostics: one event in words, with the facts beside it. Facts must never hold a secret. */
export type Log = (level: LogLevel, event: string, facts?: Readonly<Record<string, unknown>>) => void;
