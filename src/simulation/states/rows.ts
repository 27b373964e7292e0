import type * as t from 'io-ts';
import type { Json } from '../../common/json.js';
import { optional } from '../../contract/codecs/combinators.js';
import { StrictObject } from '../../contract/codecs/strict-object.js';
import { integerFrom } from '../../contract/codecs/text-and-numbers.js';
import type { FixtureData } from '../../fixtures/fixture-format.js';

/** More rows are refused in any case. */
const Amount = integerFrom(0, 10_000);

/** How many ordinary rows a tenant begins with: 2, 6 and 3 if nothing is said. */
export const Amounts = new StrictObject(
  {
    repos: optional(Amount),
    findings: optional(Amount),
    pullRequests: optional(Amount),
  },
  'amounts',
);
export type Amounts = Partial<t.TypeOf<typeof Amounts>>;

export type Collection = 'repos' | 'scans' | 'findings' | 'pullRequests';

/** New rows by their ids, as a merge patch of a fixture file has them. */
export type Rows = {
  readonly [C in Collection]?: Readonly<Record<string, NonNullable<FixtureData[C]>[number]>>;
};

/** So long before the data was up to date, as fixture files write it. */
const ago = (minutes: number): string => `-${minutes}m`;

/**
 * An ordinary row of each collection, which is completed as in a file. `age` orders them: lists begin with
 * the lowest one.
 */
const ordinary = (name: string, age: number, repo = name) => ({
  repos: {
    ...{ id: `repo_${name}`, owner: 'acme', repo: `service-${name}`, isDemoRow: false },
    ...{ scanStatusBadge: 'healthy', status: 'clear' },
  },
  scans: {
    ...{ id: `scan_${name}`, repoId: `repo_${name}`, status: 'completed', error: null },
    ...{ startedAt: ago(61 + age), finishedAt: ago(60 + age), findingsSeen: 3, draftsOpened: 2 },
  },
  findings: {
    ...{ id: `fix_${name}`, repoId: `repo_${repo}`, advisoryId: `GHSA-${name}`, package: `package-${name}` },
    ...({
      severity: 'high',
      status: 'pending',
      ciStatus: 'none',
      reachability: 0.5,
      exploitSignal: 0.25,
    } as const),
    ...{ discoveredAt: ago(3000 + age), updatedAt: ago(40), reconciledAt: ago(30) },
  },
  pullRequests: {
    ...{
      id: `pr_${name}`,
      draftId: `fix_${name}`,
      prState: 'merged',
      ciStatus: 'passing',
      hasCodemod: false,
    },
    ...{ codemodSummary: 'call(old) becomes call(new)', branch: `triage/package-${name}` },
    ...{ createdAt: ago(2000 + age), updatedAt: ago(40), reconciledAt: ago(30) },
  },
});

const times = <Row>(count: number, make: (index: number) => Row): readonly Row[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** So many ordinary rows, as the content of a fixture file: always the same ones. */
export const rowsOf = ({ repos = 2, findings = 6, pullRequests = 3 }: Amounts = {}): FixtureData => ({
  repos: times(repos, (i) => ordinary(`${i}`, i).repos),
  scans: times(repos, (i) => ordinary(`${i}`, i).scans),
  findings: times(findings, (i) => ordinary(`${i}`, i, `${i % Math.max(repos, 1)}`).findings),
  pullRequests: times(Math.min(pullRequests, findings), (i) => ordinary(`${i}`, i).pullRequests),
});

const unusual = ordinary('unusual', -1);

/** Fields of the unusual row of some collections; null: there is no such row. */
export type Fields = Readonly<Partial<Record<Collection, Readonly<Record<string, Json>> | null>>>;

/**
 * One row more in each collection, with which lists begin: a repository with a scan and, if fields of them
 * are given, a finding with a pull request.
 */
export const unusualRows = (fields: Fields): Rows => {
  const hasFinding = 'findings' in fields || 'pullRequests' in fields;
  const changed: Fields = {
    repos: {},
    scans: {},
    ...(hasFinding && { findings: {}, pullRequests: {} }),
    ...fields,
  };
  const row = <C extends Collection>(of: C) =>
    changed[of] && { [of]: { [unusual[of].id]: { ...unusual[of], ...changed[of] } } };
  return { ...row('repos'), ...row('scans'), ...row('findings'), ...row('pullRequests') };
};

/** The content of a fixture file with more rows, with which it begins. */
export const withRows = (fixture: FixtureData, rows: Rows): FixtureData => ({
  ...fixture,
  repos: [...Object.values(rows.repos ?? {}), ...(fixture.repos ?? [])],
  scans: [...Object.values(rows.scans ?? {}), ...(fixture.scans ?? [])],
  findings: [...Object.values(rows.findings ?? {}), ...(fixture.findings ?? [])],
  pullRequests: [...Object.values(rows.pullRequests ?? {}), ...(fixture.pullRequests ?? [])],
});
