import type * as t from 'io-ts';
import { type Described, described } from '../codecs/described.js';
import { optionalList } from '../codecs/list.js';
import { optional } from '../codecs/optional.js';
import { StrictObject } from '../codecs/strict-object.js';
import { Text } from '../codecs/text.js';
import { ApiTokenSeed } from '../records/api-token.js';
import { FixDraftRecord } from '../records/fix-draft.js';
import { PullRequestRecord } from '../records/pull-request.js';
import { RepoRecord } from '../records/repo.js';
import { ScanRecord } from '../records/scan.js';
import { SessionSeed } from '../records/session.js';
import { UserSeed } from '../records/user.js';

/** A field that may be left out. `otherwise` says what it is then. */
const maybe = <C extends t.Mixed>({ codec, description }: Described<C>, otherwise: string) =>
  described(optional<t.TypeOf<C>, t.OutputOf<C>>(codec), `${description} Default: ${otherwise}.`);

const fromContent = 'from what the row says';
const fromName = 'from the name of the file';
const before = 'some time before `asOf`';

const repoName = described(optional(Text), 'The repository as "owner/name", instead of `repoId`.');

const repo = RepoRecord.props;
/** A row of `repos` of which any field may be missing. */
export const SparseRepo = new StrictObject(
  {
    id: maybe(repo.id, 'from owner and name'),
    owner: maybe(repo.owner, `the part of \`repo\` before the slash, or ${fromName}`),
    repo: maybe(repo.repo, '`app`; without `owner`, it may be "owner/name"'),
    defaultBranch: maybe(repo.defaultBranch, '`main`'),
    isDemoRow: maybe(repo.isDemoRow, 'false'),
    scanStatusBadge: maybe(repo.scanStatusBadge, 'fits the scans and findings'),
    status: maybe(repo.status, 'fits the scans and findings'),
  },
  'repo',
);
export type SparseRepo = t.TypeOf<typeof SparseRepo>;

const scan = ScanRecord.props;
/** A row of `scans` of which any field may be missing. */
export const SparseScan = new StrictObject(
  {
    id: maybe(scan.id, fromContent),
    repoId: maybe(scan.repoId, 'the repository that `repo` names'),
    repo: repoName,
    startedAt: maybe(scan.startedAt, 'in the last day before `asOf`'),
    finishedAt: maybe(scan.finishedAt, 'a minute or two after it started'),
    status: maybe(scan.status, '`completed`; with an error `failed`'),
    findingsSeen: maybe(scan.findingsSeen, 'the unresolved findings at that time'),
    draftsOpened: maybe(scan.draftsOpened, 'those of them that are `drafting`'),
    error: maybe(scan.error, 'null; a sentence if the scan failed'),
  },
  'scan',
);
export type SparseScan = t.TypeOf<typeof SparseScan>;

const pullRequest = PullRequestRecord.props;
const pullRequestFields = {
  id: maybe(pullRequest.id, fromContent),
  fromVersion: maybe(pullRequest.fromVersion, 'a version in the vulnerable range'),
  toVersion: maybe(pullRequest.toVersion, 'the first fixed version'),
  branch: maybe(pullRequest.branch, '`triage/PACKAGE-VERSION`'),
  hasCodemod: maybe(pullRequest.hasCodemod, 'whether there is a `codemodSummary`'),
  codemodSummary: maybe(pullRequest.codemodSummary, 'empty; a line of code with `hasCodemod`'),
  ciStatus: maybe(pullRequest.ciStatus, 'fits the state'),
  prUrl: maybe(pullRequest.prUrl, 'in the repository, with a number of its own'),
  prState: maybe(pullRequest.prState, 'fits the status of the finding'),
  createdAt: maybe(pullRequest.createdAt, 'some hours after the finding was discovered'),
  updatedAt: maybe(pullRequest.updatedAt, 'after it was created'),
  reconciledAt: maybe(pullRequest.reconciledAt, 'null while it is open, else soon after `updatedAt`'),
};

/** A pull request inside a row of `findings`, whose draft is that row. */
export const SparseOwnPullRequest = new StrictObject(pullRequestFields, 'pull request');
export type SparseOwnPullRequest = t.TypeOf<typeof SparseOwnPullRequest>;

/** A row of `pullRequests` of which any field may be missing. */
export const SparsePullRequest = new StrictObject(
  {
    draftId: maybe(pullRequest.draftId, 'the only finding that fits `repo` and `package`'),
    repo: described(optional(Text), 'The repository of the finding as "owner/name", instead of `draftId`.'),
    package: described(optional(Text), 'The package of the finding, instead of `draftId`.'),
    ...pullRequestFields,
  },
  'pull request',
);

const draft = FixDraftRecord.props;
/** A row of `findings`, or of `fixDrafts`, of which any field may be missing. */
export const SparseFinding = new StrictObject(
  {
    id: maybe(draft.id, fromContent),
    repoId: maybe(draft.repoId, 'the repository that `repo` names'),
    repo: repoName,
    advisoryId: maybe(draft.advisoryId, 'a published advisory of the package, if one is known'),
    package: maybe(draft.package, 'a well-known package whose advisory fits the other fields'),
    ecosystem: maybe(draft.ecosystem, 'that of the advisory'),
    vulnerableRange: maybe(draft.vulnerableRange, 'that of the advisory'),
    fixedRange: maybe(draft.fixedRange, 'that of the advisory'),
    severity: maybe(draft.severity, 'that of the advisory'),
    reachability: maybe(draft.reachability, 'between 0 and 1'),
    exploitSignal: maybe(draft.exploitSignal, 'between 0 and 1'),
    status: maybe(draft.status, '`pending`; with a pull request, what fits its state'),
    ciStatus: maybe(draft.ciStatus, 'fits the status'),
    discoveredAt: maybe(draft.discoveredAt, before),
    updatedAt: maybe(draft.updatedAt, 'after it was discovered'),
    reconciledAt: maybe(draft.reconciledAt, 'null; soon after `updatedAt` if it is resolved'),
    pullRequest: described(optional(SparseOwnPullRequest), 'Its pull request, instead of a row of its own.'),
  },
  'finding',
);
export type SparseFinding = t.TypeOf<typeof SparseFinding>;

const user = UserSeed.props;
/** A user of whom any field may be missing. */
export const SparseUser = new StrictObject(
  {
    id: maybe(user.id, '`usr_NAME`'),
    email: maybe(user.email, '`user@NAME.test`'),
    name: maybe(user.name, fromName),
    password: maybe(user.password, '`NAME-password`'),
  },
  'user',
);

const session = SessionSeed.props;
/** A session of which all but the value may be missing. */
export const SparseSession = new StrictObject(
  {
    id: maybe(session.id, fromContent),
    value: session.value,
    createdAt: maybe(session.createdAt, 'a day before `asOf`'),
    expiresAt: maybe(session.expiresAt, 'a year after `asOf`'),
  },
  'session',
);

const token = ApiTokenSeed.props;
/** An API token of which all but the token may be missing. */
export const SparseApiToken = new StrictObject(
  {
    id: maybe(token.id, fromContent),
    name: maybe(token.name, '`API token`'),
    token: token.token,
    createdAt: maybe(token.createdAt, 'a day before `asOf`'),
    expiresAt: maybe(token.expiresAt, 'null'),
    revokedAt: maybe(token.revokedAt, 'null'),
  },
  'API token',
);

export const sparseCollections = {
  repos: described(optionalList(SparseRepo), 'Connected repositories. Default: those that other rows name.'),
  scans: described(optionalList(SparseScan), 'Scans. Each repository gets a finished one if it has none.'),
  findings: described(optionalList(SparseFinding), 'Findings: another name of `fixDrafts`.'),
  fixDrafts: described(optionalList(SparseFinding), 'Fix drafts: the records behind findings.'),
  pullRequests: described(optionalList(SparsePullRequest), 'Pull requests of the findings.'),
};
