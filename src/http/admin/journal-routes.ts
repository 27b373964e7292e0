import * as E from '#fp-ts/Either';
import { listOf } from '../../contract/codecs/combinators.js';
import type { Journal } from '../../simulation/journal.js';
import { JournalEntry, JournalFilter, journalEntries } from '../../simulation/journal-entry.js';
import { shownTarget } from '../operations/target.js';
import { type AdminRoute, adminRoute } from './admin-route.js';

const tag = 'Journal';

/** The controls of the journal. */
export const journalRoutes = (journal: Journal): readonly AdminRoute[] => [
  adminRoute({
    id: 'listRequests',
    method: 'GET',
    path: '/requests',
    tag,
    summary: 'List the latest requests, and what was simulated for them.',
    query: JournalFilter,
    body: null,
    success: { status: 200, description: 'The requests, the oldest first.', codec: listOf(JournalEntry) },
    handle: ({ query }) => E.right(journalEntries(journal, query, shownTarget)),
  }),
  adminRoute({
    id: 'clearRequests',
    method: 'DELETE',
    path: '/requests',
    tag,
    summary: 'Empty the journal.',
    query: null,
    body: null,
    success: { status: 204, description: 'The journal is empty, and counts from 1 again.', codec: null },
    handle: () => {
      journal.clear();
      return E.right(undefined);
    },
  }),
];
