/** A request that has been answered. Its target is as the client sent it, and may contain a secret. */
export type JournalNote = Readonly<{
  /** When it came, by the clock of the server. */
  at: number;
  requestId: string;
  method: string;
  target: string;
  operation: string;
  status: number;
  milliseconds: number;
  tenant: string | null;
  /** What was simulated; null: nothing. */
  simulated: string | null;
  /** What the response warned of; null: nothing. */
  warning: string | null;
}>;
