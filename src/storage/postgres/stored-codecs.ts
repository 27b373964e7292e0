import * as t from 'io-ts';
import { listOf } from '../../codecs/list.js';
import { nullable } from '../../codecs/nullable.js';
import { Integer } from '../../codecs/numbers.js';
import { Identifier } from '../../codecs/text.js';
import { millisecondsOf, Timestamp, timestampAt } from '../../codecs/timestamp.js';
import type { FixDraftDetails, PullRequestDetails, RepoDetails } from '../../records/details.js';
import { FixDraftRecord } from '../../records/fix-draft.js';
import { PullRequestRecord } from '../../records/pull-request.js';
import { RepoRecord } from '../../records/repo.js';
import { ScanRecord } from '../../records/scan.js';

// Decodes the rows of the functions of migrations/0006_reading.sql into records. The codecs of the records
// decide what is valid; only moments are written differently.

const earliest = Date.parse('0000-01-01T00:00:00.000Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

/** A moment in milliseconds since 1970, which PostgreSQL formats faster than text. */
const StoredTimestamp = new t.Type<Timestamp, number, unknown>(
  'milliseconds since 1970, of the years 0000 to 9999',
  Timestamp.is,
  (u, c) => (Integer.is(u) && u >= earliest && u <= latest ? t.success(timestampAt(u)) : t.failure(u, c)),
  millisecondsOf,
);

const fixDraft = {
  ...FixDraftRecord.props,
  discoveredAt: StoredTimestamp,
  updatedAt: StoredTimestamp,
  reconciledAt: nullable(StoredTimestamp),
};

const FixDraftRow = t.strict(fixDraft, 'fix draft');

const FixDraftDetailsRow = t.strict({ ...fixDraft, prCount: Integer }, 'fix draft with its pull requests');

const PullRequestRow = t.strict(
  {
    ...PullRequestRecord.props,
    createdAt: StoredTimestamp,
    updatedAt: StoredTimestamp,
    reconciledAt: nullable(StoredTimestamp),
    repoId: FixDraftRecord.props.repoId,
    advisoryId: FixDraftRecord.props.advisoryId,
    package: FixDraftRecord.props.package,
    repoOwner: RepoRecord.props.owner,
    repoName: RepoRecord.props.repo,
  },
  'pull request with its draft and its repository',
);

const ScanRow = t.strict(
  { ...ScanRecord.props, startedAt: StoredTimestamp, finishedAt: StoredTimestamp },
  'scan',
);

const RepoRow = t.strict(
  {
    ...RepoRecord.props,
    lastScan: nullable(ScanRow),
    openPrCount: Integer,
    openFixDraftId: nullable(Identifier),
    openAdvisoryCount: Integer,
  },
  'repo with what is derived for it',
);

/** Decodes the rows of a query. */
export type RowsDecoder<A> = (rows: unknown) => t.Validation<readonly A[]>;

const rowsDecoder = <Row, A>(row: t.Type<Row, unknown>, toRecord: (row: Row) => A): RowsDecoder<A> => {
  const codec = listOf(row);
  return (rows) => {
    const decoded = codec.decode(rows);
    return decoded._tag === 'Left' ? decoded : t.success(decoded.right.map(toRecord));
  };
};

export const decodeFixDrafts: RowsDecoder<FixDraftRecord> = rowsDecoder(FixDraftRow, (row) => row);

export const decodeFixDraftDetails: RowsDecoder<FixDraftDetails> = rowsDecoder(
  FixDraftDetailsRow,
  ({ prCount, ...draft }) => ({ draft, prCount }),
);

export const decodePullRequests: RowsDecoder<PullRequestDetails> = rowsDecoder(
  PullRequestRow,
  ({ repoId, advisoryId, package: packageName, repoOwner, repoName, ...pullRequest }) => ({
    pullRequest,
    draft: { repoId, advisoryId, package: packageName },
    repo: { owner: repoOwner, repo: repoName },
  }),
);

export const decodeRepos: RowsDecoder<RepoDetails> = rowsDecoder(
  RepoRow,
  ({ lastScan, openPrCount, openFixDraftId, openAdvisoryCount, ...repo }) => ({
    repo,
    lastScan,
    openPrCount,
    openFixDraftId,
    openAdvisoryCount,
  }),
);
