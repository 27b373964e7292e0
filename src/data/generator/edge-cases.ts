import type { FixDraftRecord, PullRequestRecord, RepoRecord, ScanRecord } from '../../api/row-records.js';
import { at, type NonEmpty } from '../../fixtures/made-up-values.js';

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

/** The other rows of a collection stay as they are: a value is an extreme among ordinary ones. */
const every =
  <Row>(extremes: NonEmpty<(row: Row) => Partial<Row>>) =>
  (row: Row, index: number): Row => ({ ...row, ...at(extremes, index)(row) });

/** What is rare but allowed: every second row or so of a tenant, by its index, with extreme values. */
export const withExtremes = {
  repo: every(repoQuirks),
  scan: every(scanQuirks),
  finding: every(findingQuirks),
  pullRequest: every(pullRequestQuirks),
};

const same = <Row>(row: Row): Row => row;

/** Rows as they are. */
export const asTheyAre: typeof withExtremes = { repo: same, scan: same, finding: same, pullRequest: same };
