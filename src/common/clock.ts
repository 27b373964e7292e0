/**
 * The current time in milliseconds since the epoch. `cli` and `testing` pass it down; nothing else reads
 * the time.
 */
export type Clock = () => number;
