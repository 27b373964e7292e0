import { at, type NonEmpty, type Random } from './random.js';

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
export type TenantNames = Readonly<{ organisation: string; person: string; offset: number }>;

export const tenantNames = (random: Random): TenantNames => ({
  organisation: random.pick(organisations),
  person: random.pick(people),
  offset: random.below(subjects.length * parts.length),
});

/** The name of a repository; no two of a tenant have the same. */
export const repoName = ({ offset }: TenantNames, repo: number): string => {
  const pairs = subjects.length * parts.length;
  // 23 and 11 have no common divisor, so both lists can be walked at once until all pairs were used.
  const pair = (repo + offset) % pairs;
  const round = Math.floor(repo / pairs);
  return `${at(subjects, pair)}-${at(parts, pair)}${round === 0 ? '' : `-${round + 1}`}`;
};
