import { timestampAt } from '../../contract/codecs/timestamp.js';
import type { FixDraftRecord, PullRequestRecord, RepoRecord, ScanRecord } from '../../records/row-records.js';
import type { Advisory } from '../advisories/advisories.js';
import { at, type NonEmpty, randomFor } from './random.js';
import { planRepo, type RepoPlan, rowId, type Story, storiesOf } from './repo-plan.js';
import { type Triage, versionBefore } from './rules/rules.js';
import { heldByFirst } from './shares.js';
import { accountOf, planTenant, type TenantPlan, type TenantSpec } from './tenant-plan.js';

/** What has to change in code that uses a package, besides its version. */
const changes: Readonly<Record<string, string>> = {
  lodash:
    "- const page = _.template(source, { variable: key });\n+ const page = _.template(source, { variable: 'model' });\n\n- page(row);\n+ page({ model: row });",
  axios:
    '- const source = axios.CancelToken.source();\n- await axios.get(url, { cancelToken: source.token });\n+ const controller = new AbortController();\n+ await axios.get(url, { signal: controller.signal });\n\n- source.cancel();\n+ controller.abort();',
  moment: '- const due = moment(input);\n+ const due = moment(input, moment.ISO_8601, true);',
  jquery: "- $('#hint').html(text);\n+ $('#hint').text(text);",
  handlebars:
    '- const view = Handlebars.compile(source, { compat: true });\n+ const view = Handlebars.compile(source, { strict: true });',
  'node-fetch':
    "- await fetch(url, { headers: { cookie } });\n+ await fetch(url, { headers: { cookie }, redirect: 'manual' });",
  'path-to-regexp': "- app.get('/files/:path*', download);\n+ app.get('/files/*path', download);",
  requests:
    '- response = session.get(url, proxies=proxies)\n+ response = session.get(url, proxies=proxies, timeout=10)',
};

/** How a version is written in the manifest of an ecosystem. */
const manifestLine = ({ ecosystem, package: name }: Advisory, version: string): string => {
  if (ecosystem === 'Maven') return `<version>${version}</version>`;
  if (ecosystem === 'PyPI') return `${name}==${version}`;
  if (ecosystem === 'RubyGems') return `gem "${name}", "${version}"`;
  if (ecosystem === 'NuGet') return `<PackageReference Include="${name}" Version="${version}" />`;
  return `"${name}": "${version}"`;
};

/** The summary of the code change in a fix of an advisory: a diff of several lines. */
const codemodFor = (advisory: Advisory, fromVersion: string): string =>
  changes[advisory.package] ??
  `- ${manifestLine(advisory, fromVersion)}\n+ ${manifestLine(advisory, advisory.fixedVersion)}`;

const findingRow = ({ spec, rules }: TenantPlan, repo: RepoPlan, story: Story): FixDraftRecord => {
  const { advisory, reconciledAt } = story;
  const row: FixDraftRecord = {
    id: rowId(spec, 'fix', story.index),
    repoId: repo.id,
    advisoryId: advisory.advisoryId,
    package: advisory.package,
    ecosystem: advisory.ecosystem,
    vulnerableRange: advisory.vulnerableRange,
    fixedRange: advisory.fixedRange,
    severity: advisory.severity,
    reachability: story.reachability,
    exploitSignal: story.exploitSignal,
    status: story.status,
    ciStatus: story.ciStatus,
    discoveredAt: timestampAt(story.discoveredAt),
    updatedAt: timestampAt(story.updatedAt),
    reconciledAt: reconciledAt === null ? null : timestampAt(reconciledAt),
  };
  return rules.quirks.finding(row, story.index);
};

const minute = 60_000;

/**
 * The pull requests of a finding; `firstIndex` is that of the first one among those of the tenant. Chance
 * does not depend on it, so that they can be looked at before it is known.
 */
function* pullRequestRows(
  { spec, rules }: TenantPlan,
  repo: RepoPlan,
  story: Story,
  firstIndex: number,
): Iterable<PullRequestRecord> {
  const { advisory, prCount, discoveredAt, updatedAt } = story;
  const [fromVersion, toVersion] = [versionBefore(advisory.fixedVersion), advisory.fixedVersion];
  const draftId = rowId(spec, 'fix', story.index);
  const random = randomFor(spec.seed, spec.tenant, 'pullRequest', story.index);
  for (let nth = 0; nth < prCount; nth += 1) {
    const index = firstIndex + nth;
    const isLast = nth === prCount - 1;
    const { prState, ciStatus, hasCodemod } = rules.pullRequest({
      index,
      isLast,
      finding: story,
      findingPlace: story,
      random,
    });
    // One after the other, while the finding was worked on.
    const from = discoveredAt + heldByFirst(updatedAt - discoveredAt, nth, prCount);
    const until = discoveredAt + heldByFirst(updatedAt - discoveredAt, nth + 1, prCount);
    const createdAt = from + random.below(until - from);
    const changedAt = isLast ? until : createdAt + random.below(until - createdAt);
    const reconciledAt = Math.min(changedAt + random.below(5 * minute), story.reconciledAt ?? updatedAt);
    const row: PullRequestRecord = {
      id: rowId(spec, 'pr', index),
      draftId,
      fromVersion,
      toVersion,
      branch: `triage/${shortName(advisory.package)}-${toVersion}`,
      hasCodemod,
      codemodSummary: hasCodemod ? codemodFor(advisory, fromVersion) : '',
      ciStatus,
      prUrl: `https://github.example/${repo.owner}/${repo.name}/pull/${index + 1}`,
      prState,
      createdAt: timestampAt(createdAt),
      updatedAt: timestampAt(changedAt),
      reconciledAt: isFinal(prState) ? timestampAt(reconciledAt) : null,
    };
    yield rules.quirks.pullRequest(row, index);
  }
}

const isFinal = (state: string | null): boolean =>
  state === 'merged' || state === 'closed' || state === 'cancelled';

/** `log4j-core` of `org.apache.logging.log4j:log4j-core`. */
const shortName = (name: string): string => name.replace(/^.*[:/]/, '').replaceAll('.', '-');

type Counts = { findingsSeen: number; draftsOpened: number };

/**
 * The scans of a repository, the last one first. Their counts are those of the findings: a scan opens the
 * drafts of what it discovers, and sees what it or an earlier one has discovered and nobody has resolved.
 */
const scanRows = (plan: TenantPlan, repo: RepoPlan, firstIndex: number): readonly ScanRecord[] => {
  const counts = countFindings(plan, repo);
  return repo.scans.map(({ startedAt, finishedAt, status, error }, scan) => {
    const { findingsSeen = 0, draftsOpened = 0 } = counts[scan] ?? {};
    const row: ScanRecord = {
      id: rowId(plan.spec, 'scan', firstIndex + scan),
      repoId: repo.id,
      startedAt: timestampAt(startedAt),
      finishedAt: timestampAt(finishedAt),
      status,
      findingsSeen: status === 'failed' ? 0 : findingsSeen,
      draftsOpened,
      error,
    };
    return plan.rules.quirks.scan(row, firstIndex + scan);
  });
};

const countFindings = (plan: TenantPlan, repo: RepoPlan): readonly Counts[] => {
  const counts = repo.scans.map((): Counts => ({ findingsSeen: 0, draftsOpened: 0 }));
  for (const { scan: discoverer, status, updatedAt } of storiesOf(plan, repo)) {
    for (const [scan, count] of counts.entries()) {
      if (scan > discoverer) break;
      if (scan === discoverer) count.draftsOpened += 1;
      const isGone = status === 'resolved' && updatedAt <= (repo.scans[scan]?.startedAt ?? 0);
      if (!isGone) count.findingsSeen += 1;
    }
  }
  return counts;
};

const branches: NonEmpty<string> = ['main', 'main', 'main', 'master', 'main', 'develop', 'main', 'trunk'];

const repoRow = (plan: TenantPlan, repo: RepoPlan): RepoRecord => {
  const { index, id, owner, name, kind } = repo;
  const row: RepoRecord = {
    id,
    owner,
    repo: name,
    defaultBranch: at(branches, index),
    ...plan.rules.labels(index, kind, () => triageOf(plan, repo)),
  };
  return plan.rules.quirks.repo(row, index);
};

/** So many findings tell enough of a repository, however many it has. */
const maxLookedAt = 300;

const triageOf = (plan: TenantPlan, repo: RepoPlan): Triage => {
  let [hasOpenPr, isDrafting] = [false, false];
  for (const story of storiesOf(plan, { ...repo, end: Math.min(repo.end, repo.first + maxLookedAt) })) {
    if (story.status === 'pending' || story.status === 'escalated') return { needsReview: true, hasOpenPr };
    isDrafting ||= story.status === 'drafting';
    for (const { prState } of pullRequestRows(plan, repo, story, 0)) hasOpenPr ||= prState === 'open';
  }
  return { needsReview: isDrafting && !hasOpenPr, hasOpenPr };
};

/**
 * The rows of a tenant. Each is generated when it is asked for, so that they need not be in memory together;
 * each collection can be walked through several times, and is the same each time.
 */
type LazyRows = Readonly<{
  repos: Iterable<RepoRecord>;
  scans: Iterable<ScanRecord>;
  fixDrafts: Iterable<FixDraftRecord>;
  pullRequests: Iterable<PullRequestRecord>;
}>;

export const tenantRows = (spec: TenantSpec): LazyRows => {
  const plan = planTenant(spec);
  return {
    repos: { [Symbol.iterator]: () => repos(plan) },
    scans: { [Symbol.iterator]: () => scans(plan) },
    fixDrafts: { [Symbol.iterator]: () => fixDrafts(plan) },
    pullRequests: { [Symbol.iterator]: () => pullRequests(plan) },
  };
};

function* repoPlans(plan: TenantPlan): Generator<RepoPlan> {
  for (let index = 0; index < plan.spec.repos; index += 1) yield planRepo(plan, index);
}

function* repos(plan: TenantPlan): Generator<RepoRecord> {
  for (const repo of repoPlans(plan)) yield repoRow(plan, repo);
}

function* scans(plan: TenantPlan): Generator<ScanRecord> {
  let count = 0;
  for (const repo of repoPlans(plan)) {
    yield* scanRows(plan, repo, count);
    count += repo.scans.length;
  }
}

function* fixDrafts(plan: TenantPlan): Generator<FixDraftRecord> {
  for (const repo of repoPlans(plan))
    for (const story of storiesOf(plan, repo)) yield findingRow(plan, repo, story);
}

function* pullRequests(plan: TenantPlan): Generator<PullRequestRecord> {
  let count = 0;
  for (const repo of repoPlans(plan))
    for (const story of storiesOf(plan, repo, (prCount) => prCount > 0)) {
      yield* pullRequestRows(plan, repo, story, count);
      count += story.prCount;
    }
}

type Collection = 'sessions' | 'apiTokens' | 'repos' | 'scans' | 'fixDrafts' | 'pullRequests';

/** A piece of a fixture file, and the collection that it is a row of. */
type FixturePiece = Readonly<{ text: string; collection: Collection | null }>;

/**
 * The text of the fixture file of a tenant, in pieces, with a row on each line. A piece is generated when it
 * is asked for.
 */
export function* fixturePieces(spec: TenantSpec): Generator<FixturePiece> {
  const { user, session, apiToken } = accountOf(spec);
  const { repos, scans, fixDrafts, pullRequests } = tenantRows(spec);
  const collections: readonly (readonly [Collection, Iterable<unknown>])[] = [
    ['sessions', [session]],
    ['apiTokens', [apiToken]],
    ['repos', repos],
    ['scans', scans],
    ['fixDrafts', fixDrafts],
    ['pullRequests', pullRequests],
  ];
  yield {
    text: `{\n  "asOf": ${JSON.stringify(spec.asOf)},\n  "user": ${JSON.stringify(user)}`,
    collection: null,
  };
  for (const [collection, rows] of collections) {
    let separator = '';
    yield { text: `,\n  "${collection}": [`, collection: null };
    for (const row of rows) {
      yield { text: `${separator}\n    ${JSON.stringify(row)}`, collection };
      separator = ',';
    }
    yield { text: separator === '' ? ']' : '\n  ]', collection: null };
  }
  yield { text: '\n}\n', collection: null };
}
