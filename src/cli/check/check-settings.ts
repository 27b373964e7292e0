import * as t from 'io-ts';
import { optional } from '../../codecs/optional.js';
import { Text } from '../../codecs/text.js';
import type { OptionTexts } from '../settings/options.js';
import { Switch } from '../settings/setting-codecs.js';

export const CheckSettings = t.strict(
  { complete: Switch, out: optional(Text), force: Switch },
  'CheckSettings',
);
export type CheckSettings = t.TypeOf<typeof CheckSettings>;

export const checkOptions: OptionTexts<keyof CheckSettings> = {
  complete: {
    flags: '--complete',
    variable: 'TRIAGE_COMPLETE',
    fallback: false,
    negatable: true,
    description: 'print the fixture with everything that was left out, instead of a summary',
  },
  out: {
    flags: '--out <dir>',
    variable: 'TRIAGE_CHECK_OUT',
    description: 'with --complete: write the completed files to this directory instead',
  },
  force: {
    flags: '--force',
    variable: 'TRIAGE_FORCE',
    fallback: false,
    negatable: true,
    description: 'with --out: overwrite existing files',
  },
};
