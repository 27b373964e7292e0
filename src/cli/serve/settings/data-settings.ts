import * as t from 'io-ts';
import { optional } from '../../../contract/codecs/combinators.js';
import { shippedFixtures } from '../../../fixtures/read-fixtures.js';
import { databaseUrlOption } from '../../settings/database-option.js';
import type { OptionTexts } from '../../settings/options.js';
import {
  Count,
  DatabaseTimeout,
  DatabaseUrl,
  NonEmptyString,
  Switch,
} from '../../settings/setting-codecs.js';

/** Where the data is. */
export const DataSettings = t.strict(
  {
    fixtures: optional(NonEmptyString),
    watch: Switch,
    scenario: optional(NonEmptyString),
    storage: optional(NonEmptyString),
    databaseUrl: optional(DatabaseUrl),
    databasePool: Count,
    databaseTimeout: DatabaseTimeout,
  },
  'DataSettings',
);

export const dataOptions: OptionTexts<keyof t.TypeOf<typeof DataSettings>> = {
  fixtures: {
    flags: '-f, --fixtures <path>',
    variable: 'TRIAGE_FIXTURES',
    description: `directory of fixture files, one per tenant, or one file; default unless there is a database: ${shippedFixtures}`,
  },
  watch: {
    flags: '--watch',
    variable: 'TRIAGE_WATCH',
    fallback: true,
    negatable: 'serve the fixtures as they were at the start',
    description: 'reload the fixtures when they change; on by default',
  },
  scenario: {
    flags: '--scenario <name>',
    variable: 'TRIAGE_SCENARIO',
    path: true,
    description:
      'play timed patches of the fixtures: a file, or the name of a scenario of the package (acme)',
  },
  storage: {
    flags: '--storage <file>',
    variable: 'TRIAGE_STORAGE',
    // A file that happens to be in the working directory must not run code.
    notInFile: true,
    description:
      'serve from a storage of your own: a module whose default export makes one, such as ./my-storage.js',
  },
  databaseUrl: databaseUrlOption,
  databasePool: {
    flags: '--database-pool <count>',
    variable: 'TRIAGE_DATABASE_POOL',
    fallback: '10',
    description: 'maximum number of connections to the database',
  },
  databaseTimeout: {
    flags: '--database-timeout <ms>',
    variable: 'TRIAGE_DATABASE_TIMEOUT',
    fallback: '1500',
    description: 'milliseconds that a request waits for the database before it is answered 503',
  },
};
