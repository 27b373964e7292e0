import type { Dataset } from '../records/dataset.js';

/** How much a tenant has, for people: `8 repos, 21 scans, …`. */
export const fixtureCounts = (dataset: Dataset): string =>
  [
    counted(dataset.repos, 'repo'),
    counted(dataset.scans, 'scan'),
    counted(dataset.fixDrafts, 'fix draft'),
    counted(dataset.pullRequests, 'pull request'),
    counted(dataset.sessions, 'session'),
    counted(dataset.apiTokens, 'API token'),
  ].join(', ');

const counted = (rows: readonly unknown[], what: string): string =>
  `${rows.length} ${what}${rows.length === 1 ? '' : 's'}`;
