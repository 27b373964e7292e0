import * as t from 'io-ts';
import { described } from '../codecs/described.js';
import { listOf } from '../codecs/list.js';
import { nullable } from '../codecs/nullable.js';
import { Integer } from '../codecs/numbers.js';
import { Timestamp } from '../codecs/timestamp.js';
import { freeForm } from './free-form.js';

/** The most recent scan of a repository (contract, section 2.1). */
export const LastScan = t.strict(
  {
    id: described(t.string, 'Id of the scan.'),
    startedAt: described(Timestamp, 'When the scan began.'),
    finishedAt: described(Timestamp, 'When the scan ended.'),
    status: freeForm('Status of the scan.'),
    findingsSeen: described(Integer, 'Number of findings that the scan saw.'),
    draftsOpened: described(Integer, 'Number of fix drafts that the scan opened.'),
    error: described(nullable(t.string), 'What went wrong; null when nothing did.'),
  },
  'LastScan',
);
export type LastScan = t.TypeOf<typeof LastScan>;

/**
 * An item of `GET /api/v1/repos` (contract, section 2.1). `lastScan`, `lastScanAt` and `openFixDraftId` may be null: our
 * decision for a repository that was never scanned or has no open fix pull request, where the contract is silent.
 */
export const Repo = t.strict(
  {
    id: described(t.string, 'Id of the connected repository.'),
    owner: described(t.string, 'Name of its owner.'),
    repo: described(t.string, 'Its name.'),
    defaultBranch: described(t.string, 'Name of its default branch.'),
    isDemoRow: described(t.boolean, 'Whether this is a row for demonstration.'),
    lastScan: described(nullable(LastScan), 'The most recent scan.', 'Null when it was never scanned.'),
    scanStatusBadge: freeForm('Badge to show for the status of the scan.'),
    openPrCount: described(
      Integer,
      'Number of open fix pull requests.',
      'Those whose stored state is exactly "open".',
    ),
    status: freeForm('Triage status of the whole repository.'),
    openAdvisoryCount: described(
      Integer,
      'Number of open advisories.',
      'Different advisories of the findings that are not resolved.',
    ),
    lastScanAt: described(
      nullable(Timestamp),
      'When the last scan began.',
      'Null when it was never scanned.',
    ),
    lastScanRelative: described(
      t.string,
      'How long ago the last scan began, in words for people.',
      '"just now", "5 minutes ago", … "2 years ago"; "never" when it was never scanned.',
    ),
    hasOpenFixPr: described(t.boolean, 'Whether there is an open fix pull request.'),
    openFixDraftId: described(
      nullable(t.string),
      'Id of the draft whose fix pull request is open: an id of a finding.',
      'Null when none is open; of several, the one that was updated last.',
    ),
    ownerInitial: described(
      t.string,
      'Short text derived from the name of the owner.',
      'Its first character in upper case.',
    ),
  },
  'Repo',
);
export type Repo = t.TypeOf<typeof Repo>;

/** The body of `GET /api/v1/repos`: a bare array, no envelope (contract, section 2.4). */
export const RepoList = listOf(Repo);
export type RepoList = t.TypeOf<typeof RepoList>;
