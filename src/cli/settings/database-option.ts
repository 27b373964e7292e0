import type { OptionText } from './options.js';
import { DatabaseUrl } from './setting-codecs.js';

/** The option of every command that needs a database. */
export const databaseUrlOption: OptionText = {
  flags: '--database-url <url>',
  variable: 'TRIAGE_DATABASE_URL',
  // Whether it is meant shows only when it is connected to, so whatever is surely meant comes first.
  generic: { variable: 'DATABASE_URL', accepts: DatabaseUrl, isBelowFile: true },
  secret: true,
  description: 'PostgreSQL database: postgres://user:password@host:5432/database',
};
