/**
 * Writes the lines of one turn of the event loop together, at its end. With a write of its own for each line,
 * logging a request would take several times as long.
 */
export const linesTogether = (write: (lines: string) => void): ((line: string) => void) => {
  let waiting: string[] = [];
  const flush = (): void => {
    const lines = waiting.join('\n');
    waiting = [];
    write(lines);
  };
  return (line) => {
    if (waiting.push(line) === 1) setImmediate(flush);
  };
};
