import type { RepoRecord } from '../../../records/row-records.js';
import type { NonEmpty } from '../random.js';

/** Extreme values of repositories, by turns. */
export const repoQuirks: NonEmpty<(row: RepoRecord) => Partial<RepoRecord>> = [
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
