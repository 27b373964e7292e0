import * as t from 'io-ts';
import { millisecondsOf, type Timestamp, timestampAt } from '../../contract/codecs/timestamp.js';
import type { ApiTokenSeed, SessionSeed, UserSeed } from '../../records/account-records.js';
import { at, type NonEmpty, randomFor } from './random.js';
import { realistic } from './rules/realistic.js';
import type { Rules } from './rules/rules.js';
import { edge, uniform } from './rules/uniform-and-edge.js';
import { startsByWeight } from './shares.js';

/** How the values of generated data are spread. */
export const Distribution = t.keyof(
  { realistic: null, uniform: null, edge: null },
  'one of realistic, uniform, edge',
);
export type Distribution = t.TypeOf<typeof Distribution>;

/** What to generate. The same specification generates the same tenant, byte for byte, on every platform. */
export type TenantSpec = Readonly<{
  distribution: Distribution;
  /** A whole number from 0 to 4294967295. */
  seed: number;
  /** The number of the tenant among those of the same seed, from 1. */
  tenant: number;
  repos: number;
  findings: number;
  prs: number;
  /** When the data is up to date. */
  asOf: Timestamp;
}>;

/** Why no tenant has these sizes; null if one can. */
export const sizeProblem = ({
  repos,
  findings,
  prs,
}: Pick<TenantSpec, 'repos' | 'findings' | 'prs'>): string | null => {
  if (findings > 0 && repos === 0) return 'findings need a repository';
  return prs > 0 && findings === 0 ? 'pull requests need a finding' : null;
};

const organisations: NonEmpty<string> = [
  'northwind-retail',
  'blue-harbor',
  'lumen-health',
  'cedar-logistics',
  'orbit-finance',
  'paper-crane',
  'summit-energy',
  'tidewater-media',
  'granite-insurance',
  'maple-travel',
  'copper-labs',
  'riverbend-foods',
];

const subjects: NonEmpty<string> = [
  'accounts',
  'billing',
  'catalog',
  'checkout',
  'customer',
  'delivery',
  'documents',
  'events',
  'identity',
  'inventory',
  'invoices',
  'mailing',
  'orders',
  'payments',
  'pricing',
  'reports',
  'returns',
  'search',
  'shipping',
  'storefront',
  'support',
  'tracking',
  'warehouse',
];

const parts: NonEmpty<string> = [
  'api',
  'web',
  'worker',
  'service',
  'admin',
  'app',
  'gateway',
  'jobs',
  'sdk',
  'cli',
  'portal',
];

const people: NonEmpty<string> = [
  'Amara Okafor',
  'Ben Lindqvist',
  'Carla Romano',
  'Devi Raman',
  'Elif Kaya',
  'Farid Haddad',
  'Grace Kim',
  'Hanna Novak',
  'Ines Carvalho',
  'Jonas Weber',
];

/** The organisation and the user of a tenant, and where its list of repository names begins. */
type TenantNames = Readonly<{ organisation: string; person: string; offset: number }>;

const tenantNames = ({ seed, tenant }: TenantSpec): TenantNames => {
  const random = randomFor(seed, tenant, 'tenant');
  return {
    organisation: random.pick(organisations),
    person: random.pick(people),
    offset: random.below(subjects.length * parts.length),
  };
};

/** The name of a repository; no two of a tenant have the same. */
export const repoName = ({ offset }: TenantNames, repo: number): string => {
  const pairs = subjects.length * parts.length;
  // 23 and 11 have no common divisor, so both lists can be walked at once until all pairs were used.
  const pair = (repo + offset) % pairs;
  const round = Math.floor(repo / pairs);
  return `${at(subjects, pair)}-${at(parts, pair)}${round === 0 ? '' : `-${round + 1}`}`;
};

/** The user of a tenant and what signs this user in. */
type Account = Readonly<{ user: UserSeed; session: SessionSeed; apiToken: ApiTokenSeed }>;

/**
 * The name of a tenant, such as `realistic-7-1`. It is part of everything that has to be unique across
 * tenants, so that tenants of several distributions and seeds can be served together.
 */
export const tenantName = ({ distribution, seed, tenant }: TenantSpec): string =>
  `${distribution}-${seed}-${tenant}`;

const day = 24 * 60 * 60 * 1000;

/** The session and the API token are valid at `asOf`; the session for a year. */
export const accountOf = (spec: TenantSpec): Account => {
  const name = tenantName(spec);
  const { person } = tenantNames(spec);
  const asOf = millisecondsOf(spec.asOf);
  const createdAt = timestampAt(asOf - day);
  const isEdge = spec.distribution === 'edge';
  return {
    user: {
      id: `usr_${name}`,
      email: `user@${name}.test`,
      name: isEdge ? 'Ægir Þórðarson-O’Brien "<b>" 名前' : person,
      password: `${name}-password`,
    },
    session: {
      id: 'ses_1',
      value: `${name}-session`,
      createdAt,
      expiresAt: timestampAt(asOf + 365 * day),
    },
    apiToken: {
      id: 'tok_1',
      name: isEdge ? '名前 "quoted" <b>token</b>' : 'Generated token',
      token: `${name}-token`,
      createdAt,
      expiresAt: null,
      revokedAt: null,
    },
  };
};

/** What is known of a tenant before its rows are generated: a few bytes for each repository. */
export type TenantPlan = Readonly<{
  spec: TenantSpec;
  rules: Rules;
  names: TenantNames;
  /** `asOf` in milliseconds since the epoch. */
  asOf: number;
  /** The index of the first finding of each repository, and at the end the number of findings. */
  starts: readonly number[];
}>;

const rulesOf: Readonly<Record<Distribution, Rules>> = { realistic, uniform, edge };

export const planTenant = (spec: TenantSpec): TenantPlan => {
  const rules = rulesOf[spec.distribution];
  const weights = Array.from({ length: spec.repos }, (_, repo) =>
    rules.weight(spec, repo, rules.kind(spec, repo)),
  );
  return {
    spec,
    rules,
    asOf: millisecondsOf(spec.asOf),
    names: tenantNames(spec),
    starts: startsByWeight(spec.findings, weights),
  };
};
