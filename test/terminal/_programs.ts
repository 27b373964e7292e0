import { python } from '../cli/terminal/_pseudo-terminal.js';

/** The program that opens pseudo-terminals for the tests of this folder; null if it is not installed. */
export const findTerminalPrograms = (): string | null => python;
