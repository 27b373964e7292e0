/** Options that no longer exist, and what to do instead. */
const goneOptions: Readonly<Record<string, string>> = {
  '--read-database-url': 'the API reads from the database of --database-url',
  '--max-replica-lag': 'the API reads from the database of --database-url, never from a replica',
  '--replica-fallback': 'the API reads from the database of --database-url, never from a replica',
  '--no-replica-fallback': 'the API reads from the database of --database-url, never from a replica',
  '--restart': 'an interrupted run keeps nothing, so that every run starts over',
  '--resume':
    'a run cannot be continued; run the command again, with a higher --rate if the server allows it',
};

/** The message of the parser, or a sentence about the option that it does not know if that one is gone. */
export const withGoneOption = (message: string): string => {
  const [, flag = ''] = /unknown option '(--[a-z-]+)/.exec(message) ?? [];
  const instead = Object.hasOwn(goneOptions, flag) ? goneOptions[flag] : undefined;
  return instead === undefined ? message : `error: ${flag} no longer exists: ${instead}`;
};
