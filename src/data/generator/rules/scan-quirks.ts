import type { ScanRecord } from '../../../records/row-records.js';
import type { NonEmpty } from '../random.js';

/** Extreme values of scans, by turns. */
export const scanQuirks: NonEmpty<(row: ScanRecord) => Partial<ScanRecord>> = [
  () => ({}),
  ({ startedAt }) => ({ finishedAt: startedAt }),
  () => ({ error: `The scan stopped. ${'A very long reason. '.repeat(200)}` }),
  () => ({ status: '', error: '' }),
  () => ({ findingsSeen: Number.MAX_SAFE_INTEGER, draftsOpened: 0 }),
  () => ({ status: 'Завершено ✅', error: 'Zeile 1\nZeile 2\n\tZeile 3' }),
];
