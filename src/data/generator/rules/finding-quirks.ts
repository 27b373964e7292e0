import type { FixDraftRecord } from '../../../records/row-records.js';
import type { NonEmpty } from '../random.js';

/** Extreme values of findings, by turns. */
export const findingQuirks: NonEmpty<(row: FixDraftRecord) => Partial<FixDraftRecord>> = [
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
