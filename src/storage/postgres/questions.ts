import * as t from 'io-ts';
import { listOf } from '../../codecs/list.js';
import { nullable } from '../../codecs/nullable.js';
import { Integer } from '../../codecs/numbers.js';
import { Identifier } from '../../codecs/text.js';
import type { PrStatus } from '../../contract/enums.js';
import type { FixDraftDetails, PullRequestDetails, RepoDetails } from '../../records/details.js';
import { FixDraftRecord } from '../../records/fix-draft.js';
import { PullRequestRecord } from '../../records/pull-request.js';
import { RepoRecord } from '../../records/repo.js';
import { ScanRecord } from '../../records/scan.js';
import type { Range, Slice } from '../port.js';
import { keyOf } from './key-of.js';

/** Something that is asked of one tenant: a function of the schema, its arguments after the caller, and its answer. */
export type Question<A> = Readonly<{
  name: string;
  values: readonly (string | number | null)[];
  answer: t.Type<A, unknown>;
}>;

const RepoFactsAnswer: t.Type<RepoDetails, unknown> = t.strict(
  {
    repo: RepoRecord,
    lastScan: nullable(ScanRecord),
    openPrCount: Integer,
    openFixDraftId: nullable(Identifier),
    openAdvisoryCount: Integer,
  },
  'repo with its facts',
);

const FindingFactsAnswer: t.Type<FixDraftDetails, unknown> = t.strict(
  { draft: FixDraftRecord, prCount: Integer },
  'fix draft with its facts',
);

const PrFactsAnswer: t.Type<PullRequestDetails, unknown> = t.strict(
  { pullRequest: PullRequestRecord, draft: FixDraftRecord, repo: RepoRecord },
  'pull request with its draft and repo',
);

const sliceOf = <A>(row: t.Type<A, unknown>): t.Type<Slice<A>, unknown> =>
  t.strict({ total: Integer, rows: listOf(row) }, `slice of ${row.name}`);

const repos = listOf(RepoFactsAnswer);
const finding = nullable(FindingFactsAnswer);
const findings = sliceOf<FixDraftRecord>(FixDraftRecord);
const prs = sliceOf(PrFactsAnswer);

export const reposQuestion: Question<readonly RepoDetails[]> = {
  name: 'list_repos',
  values: [],
  answer: repos,
};

export const findingQuestion = (id: string): Question<FixDraftDetails | null> => ({
  name: 'get_finding',
  values: [keyOf(id)],
  answer: finding,
});

export const findingsQuestion = ({
  repoId,
  offset,
  limit,
}: Range & Readonly<{ repoId: string | undefined }>): Question<Slice<FixDraftRecord>> => ({
  name: 'list_findings',
  values: [repoId === undefined ? null : keyOf(repoId), offset, limit],
  answer: findings,
});

export const prsQuestion = ({
  repoId,
  status,
  offset,
  limit,
}: Range & Readonly<{ repoId: string | undefined; status: PrStatus | undefined }>): Question<
  Slice<PullRequestDetails>
> => ({
  name: 'list_prs',
  values: [repoId === undefined ? null : keyOf(repoId), status ?? null, offset, limit],
  answer: prs,
});
