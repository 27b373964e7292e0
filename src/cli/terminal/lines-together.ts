/** How long a line may wait for others, in milliseconds: too short for people to notice. */
const defaultPatience = 20;

/** From how many characters on nothing waits any longer. */
const maxWaiting = 64 * 1024;

/** Lines that are written together. */
export type LinesTogether = Readonly<{
  add: (line: string) => void;
  /** Writes the lines that wait. */
  flush: () => void;
}>;

/**
 * Writes lines that come within a short time together. With a write of its own for each line, logging a
 * request would take as long as answering it.
 */
export const linesTogether = (write: (lines: string) => void, patience = defaultPatience): LinesTogether => {
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    const lines = waiting;
    waiting = '';
    if (lines !== '') write(lines);
  };
  return {
    add: (line) => {
      // The timer keeps the process from ending before.
      if (waiting === '') timer = setTimeout(flush, patience);
      waiting += waiting === '' ? line : `\n${line}`;
      if (waiting.length >= maxWaiting) flush();
    },
    flush,
  };
};
