import { nearest } from '../common/messages.js';

const noReplica = 'the API reads from the database of --database-url';

/** Commands and options that no longer exist, and what to do instead. */
const gone: Readonly<Record<string, string>> = {
  recount: 'the counts of a database are no longer kept, so that none can be wrong',
  completion: "'triage-api help <command>' lists the options of a command",
  '--provider-states': 'docs/pact.md shows how a script of your own makes provider states',
  '--read-database-url': noReplica,
  '--max-replica-lag': noReplica,
  '--replica-fallback': noReplica,
  '--no-replica-fallback': noReplica,
  '--restart': 'an interrupted run keeps nothing, so that every run starts over',
  '--resume':
    'a run cannot be continued; run the command again, with a higher --rate if the server allows it',
};

/** The error about an unknown command. It suggests the closest name or, if none is close, lists them all. */
export const unknownCommandError = (name: string, known: readonly string[]): string => {
  const meant = nearest(name, known);
  return `error: unknown command '${name}' (${meant === null ? `commands: ${known.join(', ')}` : `Did you mean ${meant}?`})`;
};

/** An error about an unknown command or option; a sentence about what to do instead if that one is gone. */
export const withReplacement = (message: string): string => {
  const [, name = ''] = /unknown (?:command|option) '([a-z-]+)/.exec(message) ?? [];
  const instead = Object.hasOwn(gone, name) ? gone[name] : undefined;
  return instead === undefined ? message : `error: ${name} no longer exists: ${instead}`;
};
