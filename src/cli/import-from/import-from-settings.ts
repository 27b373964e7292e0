import * as t from 'io-ts';
import { optional } from '../../contract/codecs/combinators.js';
import { isRepoName } from '../../data/reports/package-and-repo-names.js';
import { jsonReportOption } from '../settings/client-settings.js';
import { Moment } from '../settings/moment.js';
import type { OptionTexts } from '../settings/options.js';
import { SettingCodec } from '../settings/setting-codec.js';
import { ByteSize, NonEmptyString, Switch } from '../settings/setting-codecs.js';

const RepoName = t.refinement(
  t.string,
  isRepoName,
  'a repository such as acme/web, of letters, digits, hyphens, underscores and dots',
);

/** Names of repositories: an option each, or separated by commas in the environment. */
const RepoNames = new SettingCodec<readonly string[]>(
  'repositories such as acme/web',
  t.readonlyArray(RepoName).is,
  (u, c) => {
    const names: unknown = typeof u === 'string' ? u.split(',').map((each) => each.trim()) : (u ?? []);
    if (!t.readonlyArray(t.string).is(names)) return t.failure(u, c);
    const invalid = names.find((name) => !RepoName.is(name));
    return invalid === undefined ? t.success(names) : t.failure(invalid, c, RepoName.name);
  },
  { type: 'array', items: { type: 'string', pattern: '^[^/]+/[^/]+$' } },
);

export const ImportFromSettings = t.strict(
  {
    out: optional(NonEmptyString),
    repo: RepoNames,
    force: Switch,
    sparse: Switch,
    asOf: optional(Moment),
    maxSize: ByteSize,
    json: optional(NonEmptyString),
  },
  'ImportFromSettings',
);
export type ImportFromSettings = t.TypeOf<typeof ImportFromSettings>;

export const importFromOptions: OptionTexts<keyof ImportFromSettings> = {
  out: {
    flags: '-o, --out <file>',
    variable: 'TRIAGE_OUT',
    description: 'fixture file to write, *.json; default: standard output',
  },
  repo: {
    flags: '--repo <owner/name>',
    variable: 'TRIAGE_REPO',
    repeatable: true,
    description: 'repository of the first file; give it again for the second one, and so on',
  },
  force: {
    flags: '--force',
    variable: 'TRIAGE_FORCE',
    notInFile: true,
    fallback: false,
    negatable: 'refuse to overwrite existing files',
    description: 'overwrite an existing file',
  },
  sparse: {
    flags: '--sparse',
    variable: 'TRIAGE_SPARSE',
    fallback: false,
    negatable: 'write complete fixtures',
    description: 'write only what the reports say; the rest is completed whenever the file is read',
  },
  asOf: {
    flags: '--as-of <time>',
    variable: 'TRIAGE_AS_OF',
    description: 'time at which the data is current, such as 2026-11-20T12:00:00Z; default: now',
  },
  maxSize: {
    flags: '--max-size <size>',
    variable: 'TRIAGE_MAX_SIZE',
    fallback: '100mb',
    description: 'maximum size of a file',
  },
  json: {
    ...jsonReportOption,
    description: 'write the summary as JSON; - writes it to standard output, and needs --out',
  },
};
