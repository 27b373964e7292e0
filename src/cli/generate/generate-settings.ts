import * as t from 'io-ts';
import { optional } from '../../contract/codecs/combinators.js';
import { Distribution } from '../../data/generator/tenant-plan.js';
import { Moment } from '../settings/moment.js';
import type { OptionTexts } from '../settings/options.js';
import { integerBetween, Seed, Switch } from '../settings/setting-codecs.js';

const Size = integerBetween('a whole number from 0 to 10000000', 0, 10_000_000);
const Repos = integerBetween('a whole number from 0 to 100000', 0, 100_000);
const Tenants = integerBetween('a whole number from 1 to 10000', 1, 10_000);

export const GenerateSettings = t.strict(
  {
    findings: Size,
    repos: Repos,
    prs: optional(Size),
    tenants: Tenants,
    distribution: Distribution,
    seed: Seed,
    asOf: Moment,
    force: Switch,
  },
  'GenerateSettings',
);
export type GenerateSettings = t.TypeOf<typeof GenerateSettings>;

export const generateOptions: OptionTexts<keyof GenerateSettings> = {
  findings: {
    flags: '--findings <count>',
    variable: 'TRIAGE_FINDINGS',
    fallback: '500',
    description: 'number of findings of each tenant',
  },
  repos: {
    flags: '--repos <count>',
    variable: 'TRIAGE_REPOS',
    fallback: '20',
    description: 'number of repositories of each tenant',
  },
  prs: {
    flags: '--prs <count>',
    variable: 'TRIAGE_PRS',
    description: 'number of pull requests of each tenant; default: one for every four findings',
  },
  tenants: {
    flags: '--tenants <count>',
    variable: 'TRIAGE_TENANTS',
    fallback: '1',
    description: 'number of tenants, one file each',
  },
  distribution: {
    flags: '--distribution <name>',
    variable: 'TRIAGE_DISTRIBUTION',
    fallback: 'realistic',
    description: 'how values are spread: realistic, uniform (all equally often) or edge (extremes)',
  },
  seed: {
    flags: '--seed <number>',
    variable: 'TRIAGE_SEED',
    fallback: '1',
    description: 'what chance depends on: the same seed and sizes generate the same bytes',
  },
  asOf: {
    flags: '--as-of <time>',
    variable: 'TRIAGE_AS_OF',
    fallback: '2026-11-20T12:00:00Z',
    description: 'time at which the data is current; serve moves all dates from there to now',
  },
  force: {
    flags: '--force',
    variable: 'TRIAGE_FORCE',
    notInFile: true,
    fallback: false,
    negatable: 'refuse to overwrite existing files',
    description: 'overwrite files that exist',
  },
};
