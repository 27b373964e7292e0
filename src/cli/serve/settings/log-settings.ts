import * as t from 'io-ts';
import type { OptionTexts } from '../../settings/options.js';
import { Switch } from '../../settings/setting-codecs.js';
import { LogThreshold } from '../../terminal/logging.js';

/** What is printed. */
export const LogSettings = t.strict(
  {
    logLevel: LogThreshold,
    quiet: Switch,
  },
  'LogSettings',
);

export const logOptions: OptionTexts<keyof t.TypeOf<typeof LogSettings>> = {
  logLevel: {
    flags: '--log-level <level>',
    variable: 'TRIAGE_LOG_LEVEL',
    generic: { variable: 'LOG_LEVEL', accepts: LogThreshold },
    fallback: 'info',
    description: 'debug, info, warn, error or silent; the access log is info',
  },
  quiet: {
    flags: '-q, --quiet',
    variable: 'TRIAGE_QUIET',
    fallback: false,
    negatable: 'print the sample requests and the line that says where it listens',
    description: 'print neither the sample requests nor the line that says where it listens',
  },
};
