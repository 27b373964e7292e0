import { UnknownRecord } from 'io-ts';
import type { Dataset } from '../../records/dataset.js';
import type { CompletedField } from './import-summary.js';

const collections = ['repos', 'scans', 'fixDrafts', 'pullRequests', 'sessions', 'apiTokens'] as const;

/** What the rows of a sparse fixture are called, and which field stands for which. */
const rowsOf = (sparse: Readonly<Record<string, unknown>>, collection: string): readonly unknown[] => {
  const rows = sparse[collection === 'fixDrafts' ? 'findings' : collection];
  if (collection !== 'pullRequests') return Array.isArray(rows) ? rows : [];
  return rowsOf(sparse, 'fixDrafts').flatMap((row) =>
    UnknownRecord.is(row) && UnknownRecord.is(row.pullRequest) ? [{ ...row.pullRequest, draftId: '' }] : [],
  );
};

/** `repo` of a finding or a scan stands for `repoId`. */
const isGiven = (row: unknown, field: string): boolean =>
  UnknownRecord.is(row) && (row[field] !== undefined || (field === 'repoId' && row.repo !== undefined));

/** The rows and fields that were completed, with their numbers. */
export const completedFields = (
  sparse: Readonly<Record<string, unknown>>,
  complete: Dataset,
): readonly CompletedField[] =>
  collections.flatMap((collection) => {
    const rows: readonly object[] = complete[collection];
    const given = rowsOf(sparse, collection);
    const names = collection === 'fixDrafts' ? 'findings' : collection;
    const fields = Object.keys(rows[0] ?? {}).map((field) => ({
      collection: names,
      field,
      count: given.filter((row) => !isGiven(row, field)).length,
    }));
    return [{ collection: names, field: null, count: rows.length - given.length }, ...fields].filter(
      ({ count }) => count > 0,
    );
  });
