import type { FindingStatus, Severity } from '../../../contract/enums.js';
import type {
  FixDraftRecord,
  PullRequestRecord,
  RepoRecord,
  ScanRecord,
} from '../../../records/row-records.js';
import { at, type NonEmpty } from '../random.js';
import { advisoryOf, badges, noQuirks, type RepoKind, type Rules, wholeCatalogue } from './rules.js';

const severities: NonEmpty<Severity> = ['critical', 'high', 'medium', 'low'];
const statuses: NonEmpty<FindingStatus> = ['pending', 'drafting', 'escalated', 'resolved'];
const ciStatuses: NonEmpty<string> = ['passing', 'failing', 'running', 'none'];
const prStates: NonEmpty<string | null> = ['open', 'merged', 'closed', 'cancelled', null];
const repoStatuses: NonEmpty<string> = ['needs_review', 'fix_open', 'clear', 'blocked', 'not_scanned'];

/** The kinds with different badges. */
const kinds: NonEmpty<RepoKind> = ['busy', 'healthy', 'scanning', 'failed', 'partial', 'never'];

const statusOfKind: Partial<Readonly<Record<RepoKind, string>>> = {
  busy: 'needs_review',
  healthy: 'clear',
  scanning: 'fix_open',
  failed: 'blocked',
  never: 'not_scanned',
};

/**
 * Every value as often as every other: each is chosen by the index of its row, whatever the other values of
 * the row are, and together they walk through all combinations.
 */
export const uniform: Rules = {
  kind: (_, repo) => at(kinds, repo),
  weight: (_, __, kind) => (kind === 'never' ? 0 : 1),
  catalogue: () => wholeCatalogue,
  severity: (index) => at(severities, index),
  finding: ({ index, nth, distinct, catalogue, random }) => ({
    advisory:
      distinct.slice(nth, nth + 1).find(({ severity }) => severity === at(severities, index)) ??
      advisoryOf(catalogue, at(severities, index), random),
    status: at(statuses, index + Math.floor(index / 4)),
    ciStatus: at(ciStatuses, index + Math.floor(index / 16)),
  }),
  pullRequest: ({ index }) => ({
    prState: at(prStates, index),
    ciStatus: at(ciStatuses, index),
    hasCodemod: (index + Math.floor(index / 20)) % 2 === 1,
  }),
  labels: (repo, kind) => ({
    scanStatusBadge: badges[kind],
    // The sixth kind has all five in turn, so that none is more frequent.
    status: statusOfKind[kind] ?? at(repoStatuses, Math.floor(repo / kinds.length)),
    isDemoRow: (repo + Math.floor(repo / kinds.length)) % 2 === 1,
  }),
  quirks: noQuirks,
};

/** Extreme values of findings, by turns. */
const findingQuirks: NonEmpty<(row: FixDraftRecord) => Partial<FixDraftRecord>> = [
  () => ({ reachability: 0, exploitSignal: 0 }),
  () => ({ reachability: 1, exploitSignal: 1 }),
  () => ({}),
  ({ updatedAt }) => ({ discoveredAt: updatedAt, reconciledAt: updatedAt }),
  () => ({ advisoryId: '', package: '', ecosystem: '', vulnerableRange: '', fixedRange: '', ciStatus: '' }),
  () => ({ package: 'p'.repeat(214), ciStatus: 'c'.repeat(120) }),
  () => ({}),
  () => ({ package: '@пакет/日本語-עברית-🧪', ecosystem: 'Écosystème', ciStatus: '✅ صالح' }),
  () => ({
    vulnerableRange: Array.from({ length: 120 }, (_, major) => `>= ${major}.0.0, < ${major}.9.9`).join(
      ' || ',
    ),
  }),
  () => ({ reachability: 0.001, exploitSignal: 0.999, reconciledAt: null }),
  () => ({ advisoryId: 'CVE-2021-44228', package: '<img src=x onerror=alert(1)>', fixedRange: '' }),
  ({ discoveredAt }) => ({ updatedAt: discoveredAt, reconciledAt: discoveredAt }),
  () => ({}),
];

/** Extreme values of pull requests, by turns. No value of the filter matches the state "Open". */
const pullRequestQuirks: NonEmpty<(row: PullRequestRecord) => Partial<PullRequestRecord>> = [
  () => ({}),
  () => ({
    fromVersion: '',
    toVersion: '',
    branch: '',
    codemodSummary: '',
    ciStatus: '',
    prUrl: '',
    prState: '',
  }),
  () => ({}),
  () => ({}),
  () => ({ hasCodemod: true, codemodSummary: '- before();\n+ after();\n\n'.repeat(400) }),
  ({ updatedAt }) => ({ prState: 'Open', createdAt: updatedAt, reconciledAt: updatedAt }),
  () => ({}),
  () => ({ prState: 'в очереди 🚦', branch: 'исправление/日本語-🧪', ciStatus: 'läuft …' }),
  () => ({ hasCodemod: true, codemodSummary: '', reconciledAt: null }),
  () => ({ fromVersion: '1.0.0-alpha+001.build', toVersion: 'v'.repeat(200), branch: 'b'.repeat(244) }),
  () => ({}),
];

/** Extreme values of repositories, by turns. */
const repoQuirks: NonEmpty<(row: RepoRecord) => Partial<RepoRecord>> = [
  () => ({}),
  () => ({
    owner: '株式会社サンプル',
    repo: 'عربى-مشروع',
    defaultBranch: 'основная',
    scanStatusBadge: '⚠️ проверить',
    status: 'à vérifier',
  }),
  () => ({ owner: '', defaultBranch: '', scanStatusBadge: '', status: '' }),
  () => ({
    owner: 'o'.repeat(39),
    repo: 'r'.repeat(100),
    defaultBranch: `branch-${'x'.repeat(237)}`,
    scanStatusBadge: 'b'.repeat(60),
    status: 's'.repeat(60),
  }),
  () => ({}),
  ({ repo }) => ({ repo: `${repo}-without-findings` }),
  () => ({
    owner: '<b>owner</b>',
    repo: '"><script>alert(1)</script>',
    defaultBranch: "feature/'quoted'\\path",
  }),
  () => ({ isDemoRow: true, owner: '👩‍💻-team', repo: 'e\u0301-is-not-é', defaultBranch: 'ﬁ-ligature' }),
  // What follows U+202E is shown from right to left.
  () => ({ repo: 'line\nbreak\tand \u202eedisrever' }),
];

/** Extreme values of scans, by turns. */
const scanQuirks: NonEmpty<(row: ScanRecord) => Partial<ScanRecord>> = [
  () => ({}),
  ({ startedAt }) => ({ finishedAt: startedAt }),
  () => ({ error: `The scan stopped. ${'A very long reason. '.repeat(200)}` }),
  () => ({ status: '', error: '' }),
  () => ({ findingsSeen: Number.MAX_SAFE_INTEGER, draftsOpened: 0 }),
  () => ({ status: 'Завершено ✅', error: 'Zeile 1\nZeile 2\n\tZeile 3' }),
];

/** By turns like the quirks of repositories; the fifth has no scan, and the sixth nothing but scans. */
const edgeKinds: NonEmpty<RepoKind> = [
  'busy',
  'busy',
  'busy',
  'busy',
  'never',
  'failed',
  'partial',
  'scanning',
  'healthy',
];
const empty = [4, 5];

/** The other rows of a collection stay as they are: a value is an extreme among ordinary ones. */
const every =
  <Row>(quirks: NonEmpty<(row: Row) => Partial<Row>>) =>
  (row: Row, index: number): Row => ({ ...row, ...at(quirks, index)(row) });

/**
 * What is rare but allowed: uniform data, in which every second row or so has extreme values. One repository
 * has nearly all findings, and one finding has more pull requests than a page.
 */
export const edge: Rules = {
  ...uniform,
  kind: (_, repo) => at(edgeKinds, repo),
  weight: (_, repo) => (empty.includes(repo % edgeKinds.length) ? 0 : repo === 0 ? 1_000_000 : 1000),
  quirks: {
    repo: every(repoQuirks),
    scan: every(scanQuirks),
    finding: every(findingQuirks),
    pullRequest: every(pullRequestQuirks),
  },
};
