import * as t from 'io-ts';
import { described, freeForm, listOf, nullable } from './codecs/combinators.js';
import { Count } from './codecs/text-and-numbers.js';
import { Timestamp } from './codecs/timestamp.js';

/** The most recent scan of a repository (contract, section 2.1). */
export const LastScan = t.strict(
  {
    id: described(t.string, 'Id of the scan.'),
    startedAt: described(Timestamp, 'When the scan started.'),
    finishedAt: described(
      Timestamp,
      'When the scan finished.',
      'Never null, so the shipped data has a scan here only once it has finished; of one that runs, only `scanStatusBadge` tells.',
    ),
    status: freeForm('Status of the scan.'),
    findingsSeen: described(Count, 'Number of findings that the scan saw.'),
    draftsOpened: described(Count, 'Number of fix drafts that the scan opened.'),
    error: described(
      nullable(t.string),
      'The error of the scan; null if there was none.',
      null,
      'Clone failed: the access of the service was withdrawn.',
    ),
  },
  'LastScan',
);
export type LastScan = t.TypeOf<typeof LastScan>;

/** An item of `GET /api/v1/repos` (contract, section 2.1). */
export const Repo = t.strict(
  {
    id: described(t.string, 'Id of the connected repository.'),
    owner: described(t.string, 'Name of its owner.'),
    repo: described(t.string, 'Its name.'),
    defaultBranch: described(t.string, 'Name of its default branch.'),
    isDemoRow: described(t.boolean, 'Whether this is a demonstration row.'),
    lastScan: described(
      nullable(LastScan),
      'The most recent scan.',
      'The one that started last; of several, the one with the greatest id. Null if the repository was never scanned.',
    ),
    scanStatusBadge: freeForm('Display badge for the scan status.'),
    openPrCount: described(
      Count,
      'Number of open fix pull requests.',
      'Counts the pull requests whose stored state is exactly "open".',
    ),
    status: freeForm('Triage status of the repository.'),
    openAdvisoryCount: described(
      Count,
      'Number of open advisories.',
      'The distinct advisories of its findings that are not resolved.',
    ),
    lastScanAt: described(
      nullable(Timestamp),
      'When the last scan started.',
      'Null if the repository was never scanned.',
    ),
    lastScanRelative: described(
      t.string,
      'Human-readable time since the last scan started.',
      '"just now", "5 minutes ago", … "2 years ago"; "never" if the repository was never scanned.',
    ),
    hasOpenFixPr: described(
      t.boolean,
      'Whether a fix pull request is open.',
      'Whether `openPrCount` is above 0.',
    ),
    openFixDraftId: described(
      nullable(t.string),
      'Id of the fix draft (and finding) behind the open fix pull request.',
      'Null if none is open; of several, the most recently updated.',
    ),
    ownerInitial: described(t.string, 'Initial of the owner.', 'Its first character in upper case.'),
  },
  'Repo',
);
export type Repo = t.TypeOf<typeof Repo>;

/** The body of `GET /api/v1/repos`: a bare array, no envelope (contract, section 2.4). */
export const RepoList = listOf(Repo);
export type RepoList = t.TypeOf<typeof RepoList>;
