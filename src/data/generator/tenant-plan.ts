import type { ScanRecord } from '../../api/row-records.js';
import { groupBy } from '../../common/sort-and-group.js';
import { millisecondsOf, type Timestamp, timestampAt } from '../../contract/codecs/timestamp.js';
import type { Advisory } from '../../fixtures/advisories.js';
import { completeAccount } from '../../fixtures/complete-fixture.js';
import { completeScan, day, hour, minute } from '../../fixtures/complete-rows.js';
import type { Dataset } from '../../fixtures/dataset.js';
import { maxRows } from '../../fixtures/json-file.js';
import {
  at,
  type Chance,
  integerBetween,
  type NonEmpty,
  nonEmpty,
  pick,
  quickChanceOf,
} from '../../fixtures/made-up-values.js';
import { type FindingChoices, type RepoKind, rules, walkedFindings } from './distributions.js';

/** What to generate. The same specification generates the same tenant, byte for byte, on every platform. */
export type TenantSpec = Readonly<{
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
export const sizeProblem = (sizes: Pick<TenantSpec, 'repos' | 'findings' | 'prs'>): string | null => {
  if (sizes.repos + sizes.findings + sizes.prs > maxRows)
    return `a fixture file has at most ${maxRows} rows; generate several tenants`;
  if (sizes.findings > 0 && sizes.repos === 0) return 'findings need a repository';
  return sizes.prs > 0 && sizes.findings === 0 ? 'pull requests need a finding' : null;
};

/**
 * The name of a tenant, such as `realistic-7-1`. It is part of everything that has to be unique across
 * tenants, so that tenants of several seeds can be served together.
 */
export const tenantName = ({ seed, tenant }: TenantSpec): string => `realistic-${seed}-${tenant}`;

/**
 * What looks random about a row. It follows from nothing but the name of the tenant and the index of the row,
 * so a row can be generated without those before it.
 */
export const chanceIn = (spec: TenantSpec, row: string, index = 0): Chance =>
  quickChanceOf(`${tenantName(spec)} ${row} ${index}`);

const words = (text: string): NonEmpty<string> => nonEmpty(text.split(', '));

const organisations = words(
  'northwind-retail, blue-harbor, lumen-health, cedar-logistics, orbit-finance, paper-crane, summit-energy, ' +
    'tidewater-media, granite-insurance, maple-travel, copper-labs, riverbend-foods',
);
const people = words(
  'Amara Okafor, Ben Lindqvist, Carla Romano, Devi Raman, Elif Kaya, Farid Haddad, Grace Kim, Hanna Novak, ' +
    'Ines Carvalho, Jonas Weber',
);
const subjects = words(
  'accounts, billing, catalog, checkout, customer, delivery, documents, events, identity, inventory, ' +
    'invoices, mailing, orders, payments, pricing, reports, returns, search, shipping, storefront, support, ' +
    'tracking, warehouse',
);
const parts = words('api, web, worker, service, admin, app, gateway, jobs, sdk, cli, portal');

/** The user of a tenant and what signs this user in. At `asOf`, the session is valid for a year. */
export const accountOf = (spec: TenantSpec): Pick<Dataset, 'user' | 'sessions' | 'apiTokens'> => {
  const name = tenantName(spec);
  const person = pick(people, chanceIn(spec, 'tenant')('person'));
  return completeAccount(
    {
      user: { name: person },
      sessions: [{ id: 'ses_1', value: `${name}-session` }],
      apiTokens: [{ id: 'tok_1', name: 'Generated token', token: `${name}-token` }],
    },
    name,
    spec.asOf,
  );
};

type RowKind = 'repo' | 'scan' | 'fix' | 'pr';

/** The id of a row, such as `fix_0001`. `index` counts from 0. */
export const rowId = (collection: RowKind, index: number): string =>
  `${collection}_${String(index + 1).padStart(4, '0')}`;

/** How many of `total` things the first `part` of `parts` equal parts hold. They add up to `total`. */
export const heldByFirst = (total: number, part: number, parts: number): number =>
  Math.floor((total * part) / parts);

/** The index of the first thing of each holder, by their weights; the last number is `total`. */
const startsByWeight = (total: number, weights: readonly number[]): readonly number[] => {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  let before = 0;
  const starts = weights.map((weight) => {
    before += weight;
    return sum === 0 ? 0 : heldByFirst(total, before - weight, sum);
  });
  return [...starts, sum === 0 ? 0 : total];
};

/** How many pull requests a finding has, and the first one, by indexes among those of the tenant. */
type Share = Readonly<{ index: number; prCount: number; firstPr: number }>;

/**
 * Findings share pull requests in blocks of this size, so that one block is all that has to be known of the
 * others: within a block chance decides, and some findings have several.
 */
const blockSize = 16;

/** The shares of the findings from one index up to, but not including, another. */
function* sharesOf(spec: TenantSpec, first: number, end: number): Iterable<Share> {
  const { findings, prs } = spec;
  for (let start = first - (first % blockSize); start < end; start += blockSize) {
    const size = Math.min(blockSize, findings - start);
    const before = heldByFirst(prs, start, findings);
    const held = heldByFirst(prs, start + size, findings) - before;
    const counts = new Array<number>(size).fill(Math.floor(held / size));
    const chance = chanceIn(spec, 'share', start);
    for (let left = held % size; left > 0; left -= 1) {
      const lucky = Math.floor(chance(`${left}`) * size);
      counts[lucky] = (counts[lucky] ?? 0) + 1;
    }
    let firstPr = before;
    for (const [i, prCount] of counts.entries()) {
      const index = start + i;
      if (index >= first && index < end) yield { index, prCount, firstPr };
      firstPr += prCount;
    }
  }
}

/** What is known of a tenant before its rows are generated: a few bytes for each repository. */
export type TenantPlan = Readonly<{
  spec: TenantSpec;
  /** `asOf` in milliseconds since the epoch. */
  asOf: number;
  kinds: readonly RepoKind[];
  /** The index of the first finding of each repository, and at the end the number of findings. */
  starts: readonly number[];
  /** Of each of the first findings, how many before it are like it in having pull requests. */
  turns: readonly number[];
}>;

export const planTenant = (spec: TenantSpec): TenantPlan => {
  const kinds = Array.from({ length: spec.repos }, (_, repo) =>
    rules.kind(repo, chanceIn(spec, 'repo', repo)),
  );
  const weights = kinds.map((kind, repo) => rules.weight(kind, repo, spec.findings));
  const first = Array.from(
    sharesOf(spec, 0, Math.min(spec.findings, walkedFindings)),
    (each) => each.prCount > 0,
  );
  return {
    spec,
    asOf: millisecondsOf(spec.asOf),
    kinds,
    starts: startsByWeight(spec.findings, weights),
    turns: first.map((hasPr, index) => first.slice(0, index).filter((each) => each === hasPr).length),
  };
};

/** What is known of a repository before its findings are generated. */
export type RepoPlan = Readonly<{
  index: number;
  id: string;
  owner: string;
  repo: string;
  kind: RepoKind;
  /** The indexes of its first finding, and of the one after its last. */
  first: number;
  end: number;
  /** Its scans, the last one first. Their findings are not counted yet. */
  scans: readonly ScanRecord[];
  /** The index of the first of them among those of the tenant. */
  firstScan: number;
  advisories: readonly Advisory[];
}>;

/** The plans of all repositories, one after the other. */
export function* repoPlans(plan: TenantPlan): Generator<RepoPlan> {
  const { spec, kinds, starts } = plan;
  const chance = chanceIn(spec, 'tenant');
  const organisation = pick(organisations, chance('organisation'));
  const pairs = subjects.length * parts.length;
  const offset = Math.floor(chance('repositories') * pairs);
  let firstScan = 0;
  for (const [index, kind] of kinds.entries()) {
    const id = rowId('repo', index);
    // 23 and 11 have no common divisor, so both lists can be walked at once until all pairs were used.
    const pair = (index + offset) % pairs;
    const round = Math.floor(index / pairs);
    const scans = planScans(plan, index, id, firstScan);
    yield {
      index,
      id,
      owner: index % 7 === 6 ? `${organisation}-labs` : organisation,
      repo: `${at(subjects, pair)}-${at(parts, pair)}${round === 0 ? '' : `-${round + 1}`}`,
      kind,
      first: starts[index] ?? 0,
      end: starts[index + 1] ?? 0,
      scans,
      firstScan,
      advisories: rules.advisories(index, chanceIn(spec, 'repo', index)),
    };
    firstScan += scans.length;
  }
}

const omission = '2 of 3 manifests read; apps/legacy/bower.json has a format that is not supported.';

/** The scans of a repository, the last one first. The first one of all has always completed. */
const planScans = (
  { spec, kinds, asOf }: TenantPlan,
  repo: number,
  repoId: string,
  firstIndex: number,
): readonly ScanRecord[] => {
  const kind = kinds[repo] ?? 'never';
  if (kind === 'never') return [];
  const ofRepo = chanceIn(spec, 'repo', repo);
  const interval = pick([day, 2 * day, 7 * day, 7 * day], ofRepo('interval'));
  const last = asOf - integerBetween(5 * minute, 20 * hour, ofRepo('last scan'));
  const count = rules.scanCount(repo);
  return Array.from({ length: count }, (_, age) => {
    const chance = chanceIn(spec, 'scan', firstIndex + age);
    const startedAt = timestampAt(
      last - age * interval - (age === 0 ? 0 : integerBetween(0, hour, chance('time'))),
    );
    const hasFailed = age === 0 ? kind === 'failed' : age < count - 1 && chance('failed') < 0.06;
    const row =
      age > 0 || hasFailed || (kind !== 'scanning' && kind !== 'partial')
        ? { startedAt, status: hasFailed ? 'failed' : 'completed' }
        : kind === 'partial'
          ? { startedAt, status: 'partial', error: omission }
          : { status: 'running' };
    const id = rowId('scan', firstIndex + age);
    return completeScan({ id, repoId, row, chance }, [], asOf);
  });
};

/** What happened to a finding. Its row, its pull requests and the counts of scans follow. */
export type FindingPlan = Share &
  FindingChoices &
  Readonly<{
    advisory: Advisory | undefined;
    /** The index of the scan of its repository that discovered it. */
    scan: number;
    discoveredAt: number;
    updatedAt: number;
  }>;

/** So many findings of a repository have different advisories. More would leave none of a rare severity. */
const maxDistinct = 24;

/** The findings of a repository in order: all, or those with pull requests, which costs less. */
export function* findingPlans(plan: TenantPlan, repo: RepoPlan, withPrsOnly = false): Generator<FindingPlan> {
  const { spec, turns, asOf } = plan;
  const { kind, first, end } = repo;
  const bySeverity = groupBy(repo.advisories, ({ severity }) => severity);
  const chosen = new Set<Advisory>();
  const isNew = (advisory: Advisory): boolean => !chosen.has(advisory);
  const times = repo.scans.map((scan) => [millisecondsOf(scan.startedAt), millisecondsOf(scan.finishedAt)]);
  const finders = repo.scans.flatMap(({ status }, scan) =>
    status === 'completed' || status === 'partial' ? [scan] : [],
  );
  const oldest = finders.at(-1) ?? 0;
  let withPrBefore = 0;
  // Objects are written out, because spreading others into them would take most of the time.
  for (const { index, prCount, firstPr } of sharesOf(spec, first, end)) {
    const nth = index - first;
    const hasPr = prCount > 0;
    // The first ones are needed in any case, because others have other advisories than they.
    if (withPrsOnly && !hasPr && nth >= maxDistinct) continue;
    const chance = chanceIn(spec, 'finding', index);
    const place = { nth, hasPr, withPrBefore, kind, turn: turns[index] };
    const { status, prState } = rules.finding(place, chance);
    if (hasPr) withPrBefore += 1;

    const wanted = bySeverity.get(rules.severity(index, chance)) ?? repo.advisories;
    const fresh = nth < maxDistinct ? [wanted, repo.advisories] : [];
    const candidates = fresh.map((each) => each.filter(isNew)).find(({ length }) => length > 0) ?? wanted;
    const advisory = candidates[Math.floor(chance('advisory') * candidates.length)];
    if (advisory !== undefined) chosen.add(advisory);

    // The first scan found half of them; each later one found what was new.
    const fraction = 2 * chance('scan') - 1;
    const scan = fraction < 0 ? oldest : (finders[Math.floor(fraction * finders.length)] ?? oldest);
    const [startedAt = asOf, finishedAt = asOf] = times[scan] ?? [];
    const discoveredAt = startedAt + Math.floor(chance('discovered') * (finishedAt - startedAt));
    const updatedAt = discoveredAt + Math.floor(chance('updated') * (asOf - discoveredAt));
    yield { index, prCount, firstPr, status, prState, advisory, scan, discoveredAt, updatedAt };
  }
}
