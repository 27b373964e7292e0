import type { PullRequestRecord } from '../../../records/row-records.js';
import type { NonEmpty } from '../random.js';

/** Extreme values of pull requests, by turns. No value of the filter matches the state "Open". */
export const pullRequestQuirks: NonEmpty<(row: PullRequestRecord) => Partial<PullRequestRecord>> = [
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
