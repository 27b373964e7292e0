import * as t from 'io-ts';
import { nullable } from '../vocabulary/nullable.js';
import { Integer } from '../vocabulary/numbers.js';
import { Timestamp } from '../vocabulary/timestamp.js';

/** The most recent scan of a repository (contract, section 2.1). */
export const LastScan = t.strict(
  {
    id: t.string,
    startedAt: Timestamp,
    finishedAt: Timestamp,
    status: t.string,
    findingsSeen: Integer,
    draftsOpened: Integer,
    error: nullable(t.string),
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
    id: t.string,
    owner: t.string,
    repo: t.string,
    defaultBranch: t.string,
    isDemoRow: t.boolean,
    lastScan: nullable(LastScan),
    scanStatusBadge: t.string,
    openPrCount: Integer,
    status: t.string,
    openAdvisoryCount: Integer,
    lastScanAt: nullable(Timestamp),
    lastScanRelative: t.string,
    hasOpenFixPr: t.boolean,
    openFixDraftId: nullable(t.string),
    ownerInitial: t.string,
  },
  'Repo',
);
export type Repo = t.TypeOf<typeof Repo>;
