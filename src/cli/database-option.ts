import type { OptionText } from './options.js';

/** The option that all commands share which need a database. */
export const databaseUrl: OptionText = {
  flags: '--database-url <url>',
  variable: 'DATABASE_URL',
  description: 'PostgreSQL database: postgres://user:password@host:5432/database',
};
