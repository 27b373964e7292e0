import test from 'ava';
import { unbelievable } from './_believable.js';
import { shippedDatasets } from './_shipped.js';

const first = <Row>(rows: readonly Row[], isWanted: (row: Row) => boolean): Row => {
  const found = rows.find(isWanted);
  if (found === undefined) throw new Error('there is no such row');
  return found;
};
const acme = first(shippedDatasets, ({ user }) => user.id === 'usr_acme');
const scan = first(acme.scans, ({ id }) => id === 'scan_0010');
const repo = first(acme.repos, ({ id }) => id === 'repo_design');
const drafting = first(acme.fixDrafts, ({ status }) => status === 'drafting');
const pending = first(acme.fixDrafts, ({ status }) => status === 'pending');
const resolved = first(acme.fixDrafts, ({ status }) => status === 'resolved');
const merged = first(acme.pullRequests, ({ prState }) => prState === 'merged');
const open = first(acme.pullRequests, ({ prState }) => prState === 'open');
const late = '2026-11-20T12:00:00.001Z';
const early = '2020-01-01T00:00:00.000Z';

type Mistake = readonly [what: string, row: Readonly<{ id: string }>, wrong: object, says: RegExp];

const mistakes: readonly Mistake[] = [
  ['a scan that is running', scan, { status: 'running' }, /still running/],
  ['a scan that ends in the future', scan, { finishedAt: late }, /has started/],
  ['a scan that ends first', scan, { finishedAt: early }, /has started/],
  ['an error of a completed scan', scan, { error: 'x' }, /has an error unless/],
  ['too many findings', scan, { findingsSeen: 8 }, /has seen the findings/],
  ['too many drafts', scan, { draftsOpened: 1 }, /opened a draft for each/],
  ['a wrong badge', repo, { scanStatusBadge: 'failed' }, /badge and status/],
  ['a wrong status', repo, { status: 'fix_open' }, /badge and status/],
  ['a finding of the future', drafting, { updatedAt: late }, /dates of a finding/],
  ['a finding that changed before it was discovered', drafting, { updatedAt: early }, /dates of a finding/],
  ['drafting with a merged pull request', resolved, { status: 'drafting' }, /a finding is resolved/],
  ['resolved without a merged one', drafting, { status: 'resolved' }, /a finding is resolved/],
  ['pending with a result of CI', pending, { ciStatus: 'passing' }, /a pending finding/],
  ['pending with an open one', drafting, { status: 'pending', ciStatus: 'none' }, /a pending finding/],
  ['another severity', drafting, { severity: 'low' }, /those of the public record/],
  ['another range', drafting, { vulnerableRange: '< 4.17.22' }, /those of the public record/],
  ['a score of 2', drafting, { reachability: 2 }, /within 0 and 1/],
  ['a pull request before its finding', open, { createdAt: early }, /comes after its finding/],
  ['a merged one whose CI runs', merged, { ciStatus: 'running' }, /its CI then runs no more/],
  ['an open one that is reconciled', open, { reconciledAt: late }, /is reconciled when it is over/],
  ['a fix of a fixed version', open, { fromVersion: '99.0.0' }, /from a vulnerable version/],
];

/** The rows of a collection, of which the row with the id has other values. */
const changed = <Row extends Readonly<{ id: string }>>(rows: readonly Row[], id: string, wrong: object) =>
  rows.map((row) => (row.id === id ? { ...row, ...wrong } : row));

for (const [what, { id }, wrong, says] of mistakes)
  test(`data that is not true to life would be noticed: ${what}`, (t) => {
    const { repos, scans, fixDrafts, pullRequests } = acme;
    const rows = {
      repos: changed(repos, id, wrong),
      scans: changed(scans, id, wrong),
      fixDrafts: changed(fixDrafts, id, wrong),
      pullRequests: changed(pullRequests, id, wrong),
    };
    t.regex(unbelievable({ ...acme, ...rows }).join('\n'), says);
  });

test('data without scans would be noticed', (t) => {
  t.regex(unbelievable({ ...acme, scans: [] }).join('\n'), /discovered before the end of a scan/);
});
