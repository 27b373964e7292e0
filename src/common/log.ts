export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Logs one event, with details as separate fields. Details must never contain a secret. */
export type Log = (level: LogLevel, event: string, details?: Readonly<Record<string, unknown>>) => void;
