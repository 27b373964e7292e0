/** Text as one word of a POSIX shell, taken literally. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
