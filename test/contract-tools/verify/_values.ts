import { isAt, lists, type Mutation, type Row } from './_mutation.js';

export const text = (value: unknown): string => String(value);

export const scanOf = (row: Row): Row => Object(row.lastScan);

/** A last scan that never took place: the contract leaves open what such a repository shows. */
export const emptyScan: Row = {
  id: '',
  startedAt: null,
  finishedAt: null,
  status: 'none',
  findingsSeen: 0,
  draftsOpened: 0,
  error: null,
};

/** An HTML error page, which servers send by mistake. */
export const html = { text: '<!doctype html><title>Oops</title>', headers: { 'content-type': 'text/html' } };

/** The status of a stored state; other states are returned as they are. */
export const asStatus = (state: unknown): string =>
  state === null || state === 'cancelled' ? 'closed' : text(state);

/** Ways to compare an id with the one that was requested, other than exactly. */
export const looseComparisons: readonly (readonly [
  description: string,
  isSame: (id: string, requested: string) => boolean,
])[] = [
  ['without letter case', (id, requested) => id.toLowerCase() === requested.toLowerCase()],
  ['trimmed', (id, requested) => id === requested.trim()],
  ['without spaces at the end', (id, requested) => id === requested.trimEnd()],
  ['by their beginning', (id, requested) => requested !== '' && id.startsWith(requested)],
  ['by their beginning only', (id, requested) => requested.startsWith(id)],
];

/** A list with another rule for the filter repoId. */
export const repoIdBy =
  (place: 'findings' | 'prs', isIn: (repoId: string, requested: string) => boolean): Mutation =>
  async (incoming, real) => {
    const repoId = incoming.query.get('repoId');
    if (!isAt(place, incoming) || repoId === null) return real(incoming.request);
    return lists(place, (all, query) =>
      all
        .filter((row) => isIn(text(row.repoId), repoId))
        .filter((row) => !query.has('status') || asStatus(row.prState ?? null) === query.get('status')),
    )(incoming, real);
  };
