import type { Journal } from '../../src/simulation/journal.js';

/** What the journal is told of a request. */
export type JournalNote = Parameters<Journal['add']>[0];

/** A request that was answered, as the journal gets it. */
export const note = (over: Partial<JournalNote> = {}): JournalNote => ({
  at: Date.parse('2026-11-20T12:00:00Z'),
  requestId: 'r',
  method: 'GET',
  target: '/api/v1/prs',
  operation: 'listPrs',
  status: 200,
  milliseconds: 1,
  tenant: null,
  simulated: null,
  warning: null,
  ...over,
});
