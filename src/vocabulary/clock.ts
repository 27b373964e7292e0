/** The present moment in milliseconds since the epoch. Handed down from the command line; nothing else reads the time. */
export type Clock = () => number;
