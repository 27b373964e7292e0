/**
 * The current time in milliseconds since the epoch. `cli` and `test-server` pass it down; nothing else reads
 * the time.
 */
export type Clock = () => number;
