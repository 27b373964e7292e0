import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { optional } from '../../contract/codecs/combinators.js';
import type { OptionTexts } from '../settings/options.js';
import { NonEmptyString, Switch } from '../settings/setting-codecs.js';
import { refined, settingsReader } from '../settings/settings-reader.js';

const CheckSettings = t.strict(
  { complete: Switch, out: optional(NonEmptyString), force: Switch, json: Switch, watch: Switch },
  'CheckSettings',
);
export type CheckSettings = t.TypeOf<typeof CheckSettings>;

export const checkOptions: OptionTexts<keyof CheckSettings> = {
  complete: {
    flags: '--complete',
    variable: 'TRIAGE_COMPLETE',
    notInFile: true,
    fallback: false,
    negatable: 'print a summary',
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
    notInFile: true,
    fallback: false,
    negatable: 'refuse to overwrite existing files',
    description: 'with --out: overwrite existing files',
  },
  json: {
    flags: '--json',
    variable: 'TRIAGE_CHECK_JSON',
    notInFile: true,
    fallback: false,
    negatable: 'print the result as text',
    description: 'print a report as JSON to standard output, problems included',
  },
  watch: {
    flags: '--watch',
    variable: 'TRIAGE_CHECK_WATCH',
    notInFile: true,
    fallback: false,
    negatable: 'check once',
    description: 'check again whenever a file changes, until Ctrl-C',
  },
};

/** Reads the settings of `check`. `left`: one line for each invalid setting or conflict. */
export const readCheckSettings = refined(
  settingsReader(CheckSettings, checkOptions),
  ({ settings, origins }) => {
    // A config file cannot set --complete, so what it sets for --out is for the runs that have it.
    const isOutMeant = settings.complete || origins.get('out')?.kind !== 'file';
    const conflict = conflictIn(isOutMeant ? settings : { ...settings, out: undefined });
    return conflict === null ? E.right(settings) : E.left([conflict]);
  },
);

/** What cannot be combined. */
const conflictIn = ({ complete, out, json, watch }: CheckSettings): string | null => {
  if (out !== undefined && !complete) return '--out is only for --complete';
  if (json && complete) return '--json cannot be used with --complete';
  if (watch && (json || complete)) return `--watch cannot be used with ${json ? '--json' : '--complete'}`;
  return null;
};
