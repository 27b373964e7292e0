import * as E from '#fp-ts/Either';
import { findingView, prView, relativeTime, repoView } from '../../api/views.js';
import { millisecondsOf, UtcTime } from '../../contract/codecs/timestamp.js';
import type { Finding, FindingDetail, PageInfo, Pr, Repo } from '../../contract/index.js';
import { defaultLimit, defaultPage } from '../../contract/page-and-limit.js';
import { neverScanned } from '../../fixtures/complete-rows.js';
import { defaultAsOf } from '../../fixtures/fixture-format.js';
import { datasetOf, withoutDates } from './tenant.js';

// What the API sends, for tests of what shows it. Each function completes an object as `tenant` completes
// rows, and throws the same error. The same fields give the same object.

/** The fields of an object, each of which may be left out; a time may be a `Date`. */
type Fields<A> = {
  readonly [K in keyof A]?: A[K] | (K extends `${string}At` ? Date : never) | undefined;
};

/** A finding as `listFindings` sends it. */
export const apiFinding = ({ repoId, ...fields }: Fields<Finding> = {}): Finding =>
  findingView(first(datasetOf({ findings: [{ ...fields, repo: { id: repoId } }] }).fixDrafts));

/** A finding as `getFinding` sends it. */
export const apiFindingDetail = ({ prCount = 0, ...fields }: Fields<FindingDetail> = {}): FindingDetail => ({
  ...apiFinding(fields),
  prCount,
});

/** A pull request as `listPrs` sends it; `id` is that of its finding. */
export const apiPr = ({ id, repoId, repo, advisoryId, package: name, ...fields }: Fields<Pr> = {}): Pr => {
  const finding = { id, advisoryId, package: name, repo: { id: repoId, ...repo }, pullRequest: fields };
  const { repos, fixDrafts, pullRequests } = datasetOf({ findings: [finding] });
  return prView({ pullRequest: first(pullRequests), draft: first(fixDrafts), repo: first(repos) });
};

/** A repository as `listConnectedRepos` sends it. With `lastScan: null`, it was never scanned. */
export const apiRepo = (fields: Fields<Repo> = {}): Repo => {
  const { id, owner, repo, defaultBranch, isDemoRow, lastScan, hasOpenFixPr = false } = fields;
  const { scanStatusBadge = lastScan === null ? neverScanned.scanStatusBadge : undefined, status } = fields;
  const row = { id, owner, repo, defaultBranch, isDemoRow, scanStatusBadge, status };
  const { repos, scans, asOf } = datasetOf({ repos: [{ ...row, scans: lastScan ? [lastScan] : undefined }] });
  const scan = scans[0] ?? null;
  const { openPrCount = hasOpenFixPr ? 1 : 0, openAdvisoryCount = openPrCount } = fields;
  const openFixDraftId = openPrCount > 0 ? 'fix_1' : null;
  const made: Repo = repoView(
    { repo: first(repos), lastScan: scan, openPrCount, openFixDraftId, openAdvisoryCount },
    scan === null
      ? 'never'
      : relativeTime(millisecondsOf(scan.startedAt), millisecondsOf(asOf ?? defaultAsOf)),
  );
  const own = Object.entries(fields).filter(([name, value]) => value !== undefined && name !== 'lastScan');
  const lastScanAt = UtcTime.decode(withoutDates(fields.lastScanAt));
  return {
    ...made,
    ...Object.fromEntries(own),
    ...(E.isRight(lastScanAt) && { lastScanAt: lastScanAt.right }),
  };
};

/** A page with these items: the only one, unless the other fields say something else. */
export const apiPage = <Item>(
  items: readonly Item[],
  { page = defaultPage, limit = defaultLimit, totalItems = items.length, ...fields }: Fields<PageInfo> = {},
): PageInfo & Readonly<{ items: readonly Item[] }> => {
  const { totalPages = Math.ceil(totalItems / limit) } = fields;
  return { items, page, limit, totalItems, totalPages };
};

const first = <A>(rows: readonly A[]): A => {
  for (const row of rows) return row;
  throw new Error('a row was described, and none was made');
};
