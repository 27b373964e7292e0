/** How long a line may wait for others, in milliseconds: too short for people to notice. */
const defaultPatience = 20;

/** From how many characters on nothing waits any longer. */
const maxWaiting = 64 * 1024;

/**
 * Writes lines that come within a short time together. With a write of its own for each line, logging a
 * request would take as long as answering it.
 */
export const linesTogether = (
  write: (lines: string) => void,
  patience = defaultPatience,
): ((line: string) => void) => {
  let waiting = '';
  const flush = (): void => {
    const lines = waiting;
    waiting = '';
    if (lines !== '') write(lines);
  };
  return (line) => {
    // The timer keeps the process from ending before.
    if (waiting === '') setTimeout(flush, patience);
    waiting += waiting === '' ? line : `\n${line}`;
    if (waiting.length >= maxWaiting) flush();
  };
};
