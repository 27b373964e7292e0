import * as t from 'io-ts';
import { described, describedAs, nullable, optionalList } from '../contract/codecs/combinators.js';
import { StrictObject } from '../contract/codecs/strict-object.js';
import { Count, FiniteNumber, Identifier, Text } from '../contract/codecs/text-and-numbers.js';
import { UtcTime } from '../contract/codecs/timestamp.js';
import { FindingStatus, Severity } from '../contract/enums.js';
import { Finding } from '../contract/finding.js';
import { Pr } from '../contract/pr.js';
import { LastScan, Repo } from '../contract/repo.js';

/**
 * What a row has in the fields that its author leaves out: a value, or what a rule says. The rules are in
 * words, for documents; `fixtures/complete-rows.ts` follows them.
 */
type FactsOf<Row, WithValue extends keyof Row> = Readonly<{
  values: Pick<Row, WithValue>;
  rules: Readonly<Record<Exclude<keyof Row, WithValue>, string>>;
}>;

const factsOf =
  <Row>(_: t.Type<Row, unknown, unknown>) =>
  <WithValue extends keyof Row = never>(facts: FactsOf<Row, WithValue>) =>
    facts;

const fromContent = 'from what the row says';

const repo = Repo.type.props;

/** A connected repository. `scanStatusBadge` and `status` are free-form. */
export const RepoRecord = new StrictObject(
  {
    id: described(Identifier, 'Id of your choice, unique among repos.'),
    owner: describedAs(repo.owner, Text),
    repo: describedAs(repo.repo, Text),
    defaultBranch: describedAs(repo.defaultBranch, Text),
    isDemoRow: describedAs(repo.isDemoRow, t.boolean),
    scanStatusBadge: describedAs(repo.scanStatusBadge, Text, 'Any text.'),
    status: describedAs(repo.status, Text, 'Any text.'),
  },
  'repo',
);
export type RepoRecord = t.TypeOf<typeof RepoRecord>;

export const repoFacts = factsOf(RepoRecord)({
  values: { defaultBranch: 'main', isDemoRow: false },
  rules: {
    id: 'from owner and name',
    owner: 'the part of `repo` before the slash, or from the name of the file',
    repo: '`app`; without `owner`, it may be "owner/name"',
    scanStatusBadge: 'fits the scans and findings',
    status: 'fits the scans and findings',
  },
});

const scan = LastScan.type.props;

/** One scan of a repository. `status` is free-form; `error` is null when the scan had none. */
export const ScanRecord = new StrictObject(
  {
    id: described(Identifier, 'Id of your choice, unique among scans.'),
    repoId: described(Identifier, 'Id of an entry of repos.'),
    startedAt: describedAs(
      scan.startedAt,
      UtcTime,
      'The scan that began last is the last scan of its repository.',
    ),
    finishedAt: describedAs(scan.finishedAt, UtcTime),
    status: describedAs(scan.status, Text, 'Any text.'),
    findingsSeen: describedAs(scan.findingsSeen, Count),
    draftsOpened: describedAs(scan.draftsOpened, Count),
    error: describedAs(scan.error, nullable(Text)),
  },
  'scan',
);
export type ScanRecord = t.TypeOf<typeof ScanRecord>;

export const scanFacts = factsOf(ScanRecord)({
  values: {},
  rules: {
    id: fromContent,
    repoId: 'the repository that `repo` names',
    startedAt: 'in the last day before `asOf`',
    finishedAt: 'a minute or two after it started',
    status: '`completed`; with an error `failed`',
    findingsSeen: 'the unresolved findings at that time',
    draftsOpened: 'how many of these findings are `drafting`',
    error: 'null; a sentence if the scan failed',
  },
});

const finding = Finding.type.props;

/** The draft of a fix for one vulnerable package of one repository: the record behind a finding. */
export const FixDraftRecord = new StrictObject(
  {
    id: described(Identifier, 'Id of your choice, unique among fixDrafts. It is the id of the finding.'),
    repoId: described(Identifier, 'Id of an entry of repos.'),
    advisoryId: describedAs(finding.advisoryId, Text),
    package: describedAs(finding.package, Text),
    ecosystem: describedAs(finding.ecosystem, Text),
    vulnerableRange: describedAs(finding.vulnerableRange, Text),
    fixedRange: describedAs(finding.fixedRange, Text),
    severity: describedAs(finding.severity, Severity),
    reachability: describedAs(finding.reachability, FiniteNumber),
    exploitSignal: describedAs(finding.exploitSignal, FiniteNumber),
    status: describedAs(finding.status, FindingStatus),
    ciStatus: describedAs(finding.ciStatus, Text, 'Any text.'),
    discoveredAt: describedAs(finding.discoveredAt, UtcTime, 'Lists show the latest first.'),
    updatedAt: describedAs(finding.updatedAt, UtcTime),
    reconciledAt: describedAs(finding.reconciledAt, nullable(UtcTime)),
  },
  'fix draft',
);
export type FixDraftRecord = t.TypeOf<typeof FixDraftRecord>;

export const fixDraftFacts = factsOf(FixDraftRecord)({
  values: {},
  rules: {
    id: fromContent,
    repoId: 'the repository that `repo` names',
    advisoryId: 'a published advisory of the package, if one is known',
    package: 'a well-known package whose advisory fits the other fields',
    ecosystem: 'as in the advisory',
    vulnerableRange: 'as in the advisory',
    fixedRange: 'as in the advisory',
    severity: 'as in the advisory',
    reachability: 'between 0 and 1',
    exploitSignal: 'between 0 and 1',
    status: '`pending`; with a pull request, what fits its state',
    ciStatus: 'fits the status',
    discoveredAt: 'some time before `asOf`',
    updatedAt: 'after it was discovered',
    reconciledAt: 'null; soon after `updatedAt` if it is resolved',
  },
});

const pr = Pr.type.props;

/** A pull request opened for a fix draft. `prState` is free-form and may be null. */
export const PullRequestRecord = new StrictObject(
  {
    id: described(
      Identifier,
      'Id of your choice, unique among pullRequests. The API orders ties by it, but does not show it.',
    ),
    draftId: described(Identifier, 'Id of an entry of fixDrafts.'),
    fromVersion: describedAs(pr.fromVersion, Text),
    toVersion: describedAs(pr.toVersion, Text),
    branch: describedAs(pr.branch, Text),
    hasCodemod: describedAs(pr.hasCodemod, t.boolean),
    codemodSummary: describedAs(pr.codemodSummary, Text),
    ciStatus: describedAs(pr.ciStatus, Text, 'Any text.'),
    prUrl: describedAs(pr.prUrl, Text),
    prState: described(
      nullable(Text),
      'State: any text or null. The API\'s filter matches "open", "merged", "closed", "cancelled" and null.',
    ),
    createdAt: describedAs(pr.createdAt, UtcTime, 'Lists show the latest first.'),
    updatedAt: describedAs(pr.updatedAt, UtcTime),
    reconciledAt: describedAs(pr.reconciledAt, nullable(UtcTime)),
  },
  'pull request',
);
export type PullRequestRecord = t.TypeOf<typeof PullRequestRecord>;

export const pullRequestFacts = factsOf(PullRequestRecord)({
  values: {},
  rules: {
    id: fromContent,
    draftId: 'the only finding that fits `repo` and `package`',
    fromVersion: 'a version in the vulnerable range',
    toVersion: 'the first fixed version',
    branch: '`triage/PACKAGE-VERSION`',
    hasCodemod: 'whether there is a `codemodSummary`',
    codemodSummary: 'empty; a line of code with `hasCodemod`',
    ciStatus: 'fits the state',
    prUrl: 'in the repository, with a number of its own',
    prState: 'fits the status of the finding',
    createdAt: 'some hours after the finding was discovered',
    updatedAt: 'after it was created',
    reconciledAt: 'null while it is open, else soon after `updatedAt`',
  },
});

/** A repository with the values derived from its scans, drafts and pull requests. */
export type RepoDetails = Readonly<{
  repo: RepoRecord;
  /** The scan that began last; among equals, the one with the greatest id. Null if it was never scanned. */
  lastScan: ScanRecord | null;
  /** The number of its pull requests whose `prState` is exactly "open". */
  openPrCount: number;
  /** The draft of the open pull request that was updated last; among equals, the one with the smallest id. */
  openFixDraftId: string | null;
  /** The number of distinct advisories of its unresolved drafts. */
  openAdvisoryCount: number;
}>;

/** A fix draft with the number of its pull requests. */
export type FixDraftDetails = Readonly<{ draft: FixDraftRecord; prCount: number }>;

/** A pull request with what the API shows of its draft and its repository. */
export type PullRequestDetails = Readonly<{
  pullRequest: PullRequestRecord;
  draft: Pick<FixDraftRecord, 'repoId' | 'advisoryId' | 'package'>;
  repo: Pick<RepoRecord, 'owner' | 'repo'>;
}>;

/** The records behind what a tenant reads through the API. */
export const TenantRows = t.strict(
  {
    repos: described(optionalList(RepoRecord), 'Connected repositories.'),
    scans: described(optionalList(ScanRecord), 'Scans of the repositories.'),
    fixDrafts: described(optionalList(FixDraftRecord), 'Fix drafts: the records behind findings.'),
    pullRequests: described(optionalList(PullRequestRecord), 'Pull requests of the fix drafts.'),
  },
  'TenantRows',
);
export type TenantRows = t.TypeOf<typeof TenantRows>;

/** How many rows a tenant has. */
export const rowCount = ({ repos, scans, fixDrafts, pullRequests }: TenantRows): number =>
  repos.length + scans.length + fixDrafts.length + pullRequests.length;
