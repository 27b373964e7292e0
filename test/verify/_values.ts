import { isAt, lists, type Mutation, type Row } from './_mutation.js';

export const text = (value: unknown): string => String(value);

export const scanOf = (row: Row): Row => Object(row.lastScan);

/** What servers send by mistake when something failed. */
export const html = { text: '<!doctype html><title>Oops</title>', headers: { 'content-type': 'text/html' } };

/** The filter value of a state; other states stand for themselves. */
export const asStatus = (state: unknown): string =>
  state === null || state === 'cancelled' ? 'closed' : text(state);

/** A list filtered by another rule for repoId. */
export const repoIdBy =
  (place: 'findings' | 'prs', isIn: (repoId: string, asked: string) => boolean): Mutation =>
  async (asked, real) => {
    const repoId = asked.query.get('repoId');
    if (!isAt(place, asked) || repoId === null) return real(asked.request);
    return lists(place, (all, query) =>
      all
        .filter((row) => isIn(text(row.repoId), repoId))
        .filter((row) => !query.has('status') || asStatus(row.prState ?? null) === query.get('status')),
    )(asked, real);
  };
