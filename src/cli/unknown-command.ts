import { nearest } from '../common/did-you-mean.js';

/** The error about a name that no command has: which one was probably meant or, if none is close, all of them. */
export const unknownCommandError = (name: string, known: readonly string[]): string => {
  const meant = nearest(name, known);
  return `error: unknown command '${name}' (${meant === null ? `commands: ${known.join(', ')}` : `Did you mean ${meant}?`})`;
};
