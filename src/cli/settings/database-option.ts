import type { OptionText } from './options.js';
import { DatabaseUrl } from './setting-codecs.js';

/** The option of every command that needs a database. */
export const databaseUrlOption: OptionText = {
  flags: '--database-url <url>',
  variable: 'TRIAGE_DATABASE_URL',
  // It may be meant for another program, so a value that is certainly meant for this one comes first.
  generic: { variable: 'DATABASE_URL', accepts: DatabaseUrl, isBelowFile: true },
  secret: true,
  description: 'PostgreSQL database: postgres://user:password@host:5432/database',
};
