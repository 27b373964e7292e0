import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { timestampAt } from '../src/codecs/timestamp.js';

const asOf = Date.parse('2026-11-20T12:00:00.000Z');
const minute = 60_000;

const packages = ['lodash', 'debug', 'express-session', 'path-to-regexp', 'follow-redirects', 'ws', 'qs'];
const severities = ['critical', 'high', 'medium', 'low'];
const statuses = ['pending', 'drafting', 'escalated', 'resolved'];
const prStates = ['open', 'merged', 'closed', 'cancelled', null];
const ciStatuses = ['passing', 'failing', 'none', 'running'];
const letters = 'cfghjmpqrvwx23456789';

const pick = <A>(list: readonly A[], i: number): A | undefined => list[i % list.length];

/** A number that looks random, and is the same in each run. */
const scatter = (i: number): number => Math.imul(i + 1, 2_654_435_761) >>> 0;

const advisory = (i: number): string => {
  const part = (seed: number): string =>
    [0, 5, 10, 15].map((bits) => letters[(seed >>> bits) % letters.length]).join('');
  return `GHSA-${part(scatter(i))}-${part(scatter(i + 7))}-${part(scatter(i + 13))}`;
};

const before = (minutes: number, i: number): string =>
  timestampAt(asOf - minutes * minute - (scatter(i) % minute));

const versionOf = (i: number): string => `${i % 9}.${i % 23}.${i % 11}`;

const repo = (i: number, owner: string) => ({
  id: `repo_${i}`,
  owner,
  repo: `service-${i}`,
  defaultBranch: 'main',
  isDemoRow: false,
  scanStatusBadge: 'attention',
  status: 'needs_review',
});

const scan = (i: number, repos: number) => ({
  id: `scan_${i}`,
  repoId: `repo_${i % repos}`,
  startedAt: before(2 * i + 2, i),
  finishedAt: before(2 * i, i),
  status: 'completed',
  findingsSeen: i % 40,
  draftsOpened: i % 3,
  error: null,
});

const fixDraft = (i: number, repos: number) => ({
  id: `fix_${String(i).padStart(6, '0')}`,
  repoId: `repo_${scatter(i) % repos}`,
  advisoryId: advisory(i % 5000),
  package: pick(packages, i),
  ecosystem: 'npm',
  vulnerableRange: `>= ${i % 9}.0.0, < ${versionOf(i)}`,
  fixedRange: `>= ${versionOf(i)}`,
  severity: pick(severities, scatter(i)),
  reachability: (scatter(i) % 100) / 100,
  exploitSignal: (scatter(i + 3) % 100) / 100,
  status: pick(statuses, scatter(i + 5)),
  ciStatus: pick(ciStatuses, scatter(i + 9)),
  discoveredAt: before(3 * (scatter(i) % 300_000) + 30, i),
  updatedAt: before(scatter(i + 1) % 300_000, i + 1),
  reconciledAt: i % 3 === 0 ? before(scatter(i + 2) % 200_000, i + 2) : null,
});

/** About one pull request in eight shows a codemod, so its text has escaped line feeds and quotes. */
const codemod =
  '- const render = _.template(source, { variable: name });\n+ const render = _.template(source, { variable: "data" });';

const pullRequest = (i: number) => {
  const name = pick(packages, i);
  const to = versionOf(i + 1);
  return {
    id: `pr_${String(i).padStart(6, '0')}`,
    draftId: `fix_${String(i).padStart(6, '0')}`,
    fromVersion: versionOf(i),
    toVersion: to,
    branch: `triage/${name}-${to}`,
    hasCodemod: i % 8 === 0,
    codemodSummary: i % 8 === 0 ? codemod : '',
    ciStatus: pick(ciStatuses, scatter(i)),
    prUrl: `https://github.example/northwind-retail/service-${i % 100}/pull/${i}`,
    prState: pick(prStates, scatter(i + 4)),
    createdAt: before(3 * (scatter(i) % 300_000) + 10, i),
    updatedAt: before(scatter(i + 1) % 300_000, i + 1),
    reconciledAt: i % 2 === 0 ? before(scatter(i + 2) % 200_000, i + 2) : null,
  };
};

/** Rows are written in pieces, because the text of a whole file is long. */
const rowsPerPiece = 2000;

/** Appends a collection as the shipped fixtures write it, one row a line. */
const appendCollection = async (
  file: string,
  name: string,
  count: number,
  row: (i: number) => object,
): Promise<void> => {
  await appendFile(file, `,\n  "${name}": [`);
  for (let start = 0; start < count; start += rowsPerPiece) {
    const lines = Array.from(
      { length: Math.min(rowsPerPiece, count - start) },
      (_, i) => `${start + i === 0 ? '' : ','}\n    ${JSON.stringify(row(start + i))}`,
    );
    await appendFile(file, lines.join(''));
  }
  await appendFile(file, '\n  ]');
};

/** What a fixture file has. */
export type FixtureFile = Readonly<{
  /** The number of the tenant, from 0. Its user, its address and its session are named after it. */
  tenant: number;
  /** The number of its findings, and of its pull requests. */
  rows: number;
  owner?: string;
}>;

/** How long a finding and a pull request are together, in bytes. */
export const bytesOfRow = 750;

/** The value of the session of a tenant. */
export const sessionOf = (tenant: number): string => `bench-session-${tenant}`;

/**
 * Writes a fixture file. Its rows are of the size of the shipped ones, and the same each time. The file of
 * every second tenant has `asOf`.
 */
export const writeFixtureFile = async (
  file: string,
  { tenant, rows, owner = 'northwind-retail' }: FixtureFile,
): Promise<void> => {
  const repos = Math.max(1, Math.min(100, Math.floor(rows / 100)));
  const head = {
    ...(tenant % 2 === 0 ? { asOf: timestampAt(asOf) } : {}),
    user: { id: `usr_${tenant}`, email: `user${tenant}@bench.test`, name: 'Bench', password: 'bench' },
    sessions: [
      {
        id: 'ses_1',
        value: sessionOf(tenant),
        createdAt: timestampAt(asOf),
        expiresAt: '2099-01-01T00:00:00.000Z',
      },
    ],
  };
  await writeFile(file, JSON.stringify(head, null, 2).slice(0, -2));
  await appendCollection(file, 'repos', repos, (i) => repo(i, owner));
  await appendCollection(file, 'scans', repos * 3, (i) => scan(i, repos));
  await appendCollection(file, 'fixDrafts', rows, (i) => fixDraft(i, repos));
  await appendCollection(file, 'pullRequests', rows, pullRequest);
  await appendFile(file, '\n}\n');
};

/**
 * Writes fixture files of one tenant each, with this many findings and as many pull requests in all of them
 * together.
 */
export const writeFixtureFiles = async (
  directory: string,
  { rows, files }: Readonly<{ rows: number; files: number }>,
): Promise<void> => {
  for (let tenant = 0; tenant < files; tenant += 1) {
    const count = Math.floor(((tenant + 1) * rows) / files) - Math.floor((tenant * rows) / files);
    const file = join(directory, `tenant-${String(tenant).padStart(4, '0')}.json`);
    await writeFixtureFile(file, { tenant, rows: count });
  }
};
