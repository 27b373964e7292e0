import type { OptionText } from './options.js';

/** The option of every command that needs a database. */
export const databaseUrlOption: OptionText = {
  flags: '--database-url <url>',
  variable: 'DATABASE_URL',
  secret: true,
  description: 'PostgreSQL database: postgres://user:password@host:5432/database',
};
