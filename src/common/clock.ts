/** The present moment in milliseconds since the epoch. Handed down from the two ways in, `cli` and `in-process`; nothing else reads the time. */
export type Clock = () => number;
