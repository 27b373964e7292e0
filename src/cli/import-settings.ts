import * as t from 'io-ts';
import { optional } from '../codecs/optional.js';
import { UtcTime } from '../codecs/utc-time.js';
import { databaseUrl } from './database-option.js';
import type { OptionTexts } from './options.js';
import { DatabaseUrl, Switch } from './setting-codecs.js';

/** The settings of `import`. */
export const ImportSettings = t.strict(
  { databaseUrl: DatabaseUrl, now: optional(UtcTime), replace: Switch },
  'ImportSettings',
);
export type ImportSettings = t.TypeOf<typeof ImportSettings>;

/** How they are given. */
export const importOptions: OptionTexts<keyof ImportSettings> = {
  databaseUrl,
  now: {
    flags: '--now <time>',
    variable: 'TRIAGE_NOW',
    description: 'load the data as it looks at this moment, such as 2026-11-20T12:00:00Z, instead of now',
  },
  replace: {
    flags: '--replace',
    variable: 'TRIAGE_REPLACE',
    fallback: false,
    negatable: true,
    description: 'tenants of the same id or address give way, with all that is theirs',
  },
};
