import { escapeControlCharactersInLines } from '../../common/messages.js';
import type { Terminal } from './terminal.js';

/**
 * A terminal that escapes whatever could make people misread its output, no matter which command writes it:
 * names, addresses and responses come from others. Line feeds stay, because some texts have several lines.
 */
export const escapingTerminal = (terminal: Terminal): Terminal => ({
  ...terminal,
  out: (text) => terminal.out(escapeControlCharactersInLines(text)),
  err: (text) => terminal.err(escapeControlCharactersInLines(text)),
  progress: (line) => terminal.progress(escapeControlCharactersInLines(line)),
});
