import { nearest } from '../common/did-you-mean.js';

/** The error about an unknown command. It suggests the closest name or, if none is close, lists them all. */
export const unknownCommandError = (name: string, known: readonly string[]): string => {
  const meant = nearest(name, known);
  return `error: unknown command '${name}' (${meant === null ? `commands: ${known.join(', ')}` : `Did you mean ${meant}?`})`;
};
