/** The collections of a tenant, in the order in which they are read. */
export const collections = ['repos', 'findings', 'scans', 'pullRequests'] as const;
export type Collection = (typeof collections)[number];

/** What rows of a collection list, and what they refer to. */
type Kind = Readonly<{
  /** The fields that hold lists of other rows. */
  lists: Readonly<Record<string, Collection>>;
  /** The field that refers to another row, and the one that has the id of that row in a fixture file. */
  link: Readonly<{ field: string; idField: string; to: Collection; mayBeText: boolean }> | null;
}>;

const inRepo = { field: 'repo', idField: 'repoId', to: 'repos', mayBeText: true } as const;

export const kinds: Readonly<Record<Collection, Kind>> = {
  repos: { lists: { findings: 'findings', scans: 'scans' }, link: null },
  findings: {
    lists: { pullRequests: 'pullRequests' },
    link: inRepo,
  },
  scans: { lists: {}, link: inRepo },
  pullRequests: {
    lists: {},
    link: { field: 'finding', idField: 'draftId', to: 'findings', mayBeText: false },
  },
};
