import type { Terminal } from '../../../src/cli/terminal/terminal.js';

/** A terminal, or a pipe, that keeps the lines that are written to it. */
export const aTerminal = (isTerminal: boolean): Readonly<{ fake: Terminal; lines: readonly string[] }> => {
  const lines: string[] = [];
  const write = (line: string) => lines.push(line);
  const fake: Terminal = {
    out: write,
    text: (text) => lines.push(...text.split('\n')),
    err: write,
    progress: () => {},
    unwritten: () => 0,
    input: async function* () {},
    pid: 1,
    user: null,
    outIsTerminal: isTerminal,
    errIsTerminal: isTerminal,
    onSignal: () => new Promise(() => {}),
    openBrowser: async () => null,
  };
  return { fake, lines };
};
