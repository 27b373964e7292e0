import * as t from 'io-ts';
import { nullable } from '../../codecs/nullable.js';
import { Count } from '../../codecs/numbers.js';
import { Identifier } from '../../codecs/text.js';
import { ApiTokenProfile } from '../../records/api-token.js';
import { FixDraftRecord } from '../../records/fix-draft.js';
import { PullRequestRecord } from '../../records/pull-request.js';
import { RepoRecord } from '../../records/repo.js';
import { ScanRecord } from '../../records/scan.js';
import { UserProfile, UserRecord } from '../../records/user.js';

// What the operations of a storage return, made of the codecs of the records.

export const ReturnedCaller = t.strict({ userId: Identifier }, 'caller');

export const ReturnedUser = nullable(UserRecord);

export const ReturnedProfile = nullable(UserProfile);

export const ReturnedTokens = t.readonlyArray(ApiTokenProfile, 'API tokens');

export const ReturnedRepo = t.strict(
  {
    repo: RepoRecord,
    lastScan: nullable(ScanRecord),
    openPrCount: Count,
    openFixDraftId: nullable(Identifier),
    openAdvisoryCount: Count,
  },
  'repo with what is derived for it',
);

export const ReturnedFinding = t.strict(
  { draft: FixDraftRecord, prCount: Count },
  'fix draft with the number of its pull requests',
);

/** A storage may return the whole draft and the whole repository; the rest of both is left out. */
export const ReturnedPullRequest = t.strict(
  {
    pullRequest: PullRequestRecord,
    draft: t.strict({
      repoId: FixDraftRecord.props.repoId,
      advisoryId: FixDraftRecord.props.advisoryId,
      package: FixDraftRecord.props.package,
    }),
    repo: t.strict({ owner: RepoRecord.props.owner, repo: RepoRecord.props.repo }),
  },
  'pull request with its draft and its repository',
);
