import { escapeControlCharactersInLines } from '../../common/messages.js';

/** A report as indented JSON that is safe to look at: what a server has sent cannot disguise lines of it. */
export const jsonReport = (report: unknown): string =>
  escapeControlCharactersInLines(JSON.stringify(report, null, 2));
