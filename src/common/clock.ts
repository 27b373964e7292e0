/**
 * The current time in milliseconds since the epoch. `cli` and `testing` pass it down; nothing else reads
 * the time.
 */
export type Clock = () => number;

/** The same; for a tenant that has a clock of its own, what that shows. */
export type ClockOf = (userId?: string) => number;
