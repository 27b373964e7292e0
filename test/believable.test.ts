import test from 'ava';
import { timestampAt } from '../src/contract/codecs/timestamp.js';
import type { Dataset } from '../src/records/dataset.js';
import { unbelievable } from './_believable.js';
import { shippedDatasets } from './_shipped.js';

const first = <Row>(rows: readonly Row[], isWanted: (row: Row) => boolean): Row => {
  const found = rows.find(isWanted);
  if (found === undefined) throw new Error('there is no such row');
  return found;
};
const replaced = <Row extends Readonly<{ id: string }>>(rows: readonly Row[], row: Row): Row[] =>
  rows.map((each) => (each.id === row.id ? row : each));

const acme = first(shippedDatasets, ({ user }) => user.id === 'usr_acme');
const scan = first(acme.scans, ({ id }) => id === 'scan_0010');
const repo = first(acme.repos, ({ id }) => id === 'repo_design');
const drafting = first(acme.fixDrafts, ({ status }) => status === 'drafting');
const pending = first(acme.fixDrafts, ({ status }) => status === 'pending');
const resolved = first(acme.fixDrafts, ({ status }) => status === 'resolved');
const merged = first(acme.pullRequests, ({ prState }) => prState === 'merged');
const open = first(acme.pullRequests, ({ prState }) => prState === 'open');
const late = timestampAt(Date.parse('2026-11-20T12:00:00.001Z'));
const early = timestampAt(Date.parse('2020-01-01T00:00:00.000Z'));

const mistakes: readonly (readonly [what: string, rows: Partial<Dataset>, says: RegExp])[] = [
  [
    'a scan that is running',
    { scans: replaced(acme.scans, { ...scan, status: 'running' }) },
    /still running/,
  ],
  [
    'a scan that ends in the future',
    { scans: replaced(acme.scans, { ...scan, finishedAt: late }) },
    /has started/,
  ],
  ['a scan that ends first', { scans: replaced(acme.scans, { ...scan, finishedAt: early }) }, /has started/],
  [
    'an error of a completed scan',
    { scans: replaced(acme.scans, { ...scan, error: 'x' }) },
    /has an error unless/,
  ],
  [
    'too many findings',
    { scans: replaced(acme.scans, { ...scan, findingsSeen: 8 }) },
    /has seen the findings/,
  ],
  [
    'too many drafts',
    { scans: replaced(acme.scans, { ...scan, draftsOpened: 1 }) },
    /opened a draft for each/,
  ],
  ['no scan', { scans: [] }, /discovered before the end of a scan/],
  [
    'a wrong badge',
    { repos: replaced(acme.repos, { ...repo, scanStatusBadge: 'failed' }) },
    /badge and status/,
  ],
  ['a wrong status', { repos: replaced(acme.repos, { ...repo, status: 'fix_open' }) }, /badge and status/],
  [
    'a finding of the future',
    { fixDrafts: replaced(acme.fixDrafts, { ...drafting, updatedAt: late }) },
    /dates of a finding/,
  ],
  [
    'a finding that changed before it was discovered',
    { fixDrafts: replaced(acme.fixDrafts, { ...drafting, updatedAt: early }) },
    /dates of a finding/,
  ],
  [
    'drafting with a merged pull request',
    { fixDrafts: replaced(acme.fixDrafts, { ...resolved, status: 'drafting' }) },
    /a finding is resolved/,
  ],
  [
    'resolved without a merged one',
    { fixDrafts: replaced(acme.fixDrafts, { ...drafting, status: 'resolved' }) },
    /a finding is resolved/,
  ],
  [
    'pending with a result of CI',
    { fixDrafts: replaced(acme.fixDrafts, { ...pending, ciStatus: 'passing' }) },
    /a pending finding/,
  ],
  [
    'pending with an open pull request',
    { fixDrafts: replaced(acme.fixDrafts, { ...drafting, status: 'pending', ciStatus: 'none' }) },
    /a pending finding/,
  ],
  [
    'another severity',
    { fixDrafts: replaced(acme.fixDrafts, { ...drafting, severity: 'low' }) },
    /those of the public record/,
  ],
  [
    'another range',
    { fixDrafts: replaced(acme.fixDrafts, { ...drafting, vulnerableRange: '< 4.17.22' }) },
    /those of the public record/,
  ],
  [
    'a score of 2',
    { fixDrafts: replaced(acme.fixDrafts, { ...drafting, reachability: 2 }) },
    /within 0 and 1/,
  ],
  [
    'a pull request before its finding',
    { pullRequests: replaced(acme.pullRequests, { ...open, createdAt: early }) },
    /comes after its finding/,
  ],
  [
    'a merged pull request whose CI runs',
    { pullRequests: replaced(acme.pullRequests, { ...merged, ciStatus: 'running' }) },
    /its CI then runs no more/,
  ],
  [
    'an open pull request that is reconciled',
    { pullRequests: replaced(acme.pullRequests, { ...open, reconciledAt: open.updatedAt }) },
    /is reconciled when it is over/,
  ],
  [
    'a fix that changes from a fixed version',
    { pullRequests: replaced(acme.pullRequests, { ...open, fromVersion: '99.0.0' }) },
    /from a vulnerable version/,
  ],
];

for (const [what, rows, says] of mistakes) {
  test(`data that is not true to life would be noticed: ${what}`, (t) => {
    t.regex(unbelievable({ ...acme, ...rows }).join('\n'), says);
  });
}
