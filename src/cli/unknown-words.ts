import { nearest } from '../common/did-you-mean.js';

const noReplica = 'the API reads from the database of --database-url';

/** Commands and options that are gone, and what to use instead. */
const gone: ReadonlyMap<string, string> = new Map([
  ['--read-database-url', noReplica],
  ['--max-replica-lag', noReplica],
  ['--replica-fallback', noReplica],
  ['--no-replica-fallback', noReplica],
  ['--resume', 'run the whole command again, with a higher --rate if the server can take it'],
  ['--restart', 'every run starts over, because an interrupted one keeps nothing'],
]);

/** The error about an unknown command. It suggests the closest name or, if none is close, lists them all. */
export const unknownCommandError = (name: string, known: readonly string[]): string => {
  const meant = nearest(name, known);
  return `error: unknown command '${name}' (${meant === null ? `commands: ${known.join(', ')}` : `Did you mean ${meant}?`})`;
};

/** An error about a command line. One about an option that is gone says what to use instead. */
export const explainedError = (message: string): string => {
  const [, option = ''] = /^error: unknown option '(--[\w-]+)/.exec(message) ?? [];
  const instead = gone.get(option);
  return instead === undefined ? message : `error: the option '${option}' is gone; ${instead}`;
};
