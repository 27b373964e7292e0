/** Commands and options that no longer exist, and what to do instead. */
const gone: Readonly<Record<string, string>> = {
  completion: "'triage-api help <command>' lists the options of a command",
  '--provider-states': 'docs/pact.md shows how a script of your own makes provider states',
  '--read-database-url': 'the API reads from the database of --database-url',
  '--max-replica-lag': 'the API reads from the database of --database-url, never from a replica',
  '--replica-fallback': 'the API reads from the database of --database-url, never from a replica',
  '--no-replica-fallback': 'the API reads from the database of --database-url, never from a replica',
  '--restart': 'an interrupted run keeps nothing, so that every run starts over',
  '--resume':
    'a run cannot be continued; run the command again, with a higher --rate if the server allows it',
};

/** An error about an unknown command or option; a sentence about what to do instead if that one is gone. */
export const withReplacement = (message: string): string => {
  const [, name = ''] = /unknown (?:command|option) '([a-z-]+)/.exec(message) ?? [];
  const instead = Object.hasOwn(gone, name) ? gone[name] : undefined;
  return instead === undefined ? message : `error: ${name} no longer exists: ${instead}`;
};
