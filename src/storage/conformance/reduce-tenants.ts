import type { Tenant } from './contract-model.js';

/** The rows of the tenant who sends the request, those of another tenant, and the request. */
export type Example = Readonly<{ left: Tenant; right: Tenant; path: string }>;

const kinds = ['repos', 'fixDrafts', 'pullRequests', 'scans'] as const;

/**
 * Removes rows and parameters for as long as the example still fails, or until `isLate`: a report with two
 * rows is understood, one with eighty is not. Returns the smallest example, and how many were tried.
 */
export const reduceTenants = async (
  found: Example,
  fails: (example: Example) => Promise<boolean>,
  isLate: () => boolean,
): Promise<Readonly<{ smallest: Example; tried: number }>> => {
  let smallest = found;
  let tried = 0;
  const accept = async (candidate: Example): Promise<boolean> => {
    if (isLate()) return false;
    tried += 1;
    if (!(await fails(candidate))) return false;
    smallest = candidate;
    return true;
  };
  await accept({ ...found, right: empty });
  for (let size = -1; size !== sizeOf(smallest) && !isLate(); ) {
    size = sizeOf(smallest);
    for (const name of new URL(smallest.path, base).searchParams.keys())
      await accept({ ...smallest, path: withoutParameter(smallest.path, name) });
    for (const side of ['right', 'left'] as const)
      for (const kind of kinds)
        await removeRows(smallest[side][kind].length, async (from, to) =>
          accept({ ...smallest, [side]: withoutRows(smallest[side], kind, from, to) }),
        );
  }
  return { smallest, tried };
};

const empty: Tenant = { repos: [], scans: [], fixDrafts: [], pullRequests: [] };

/** Removes rows from the end, in chunks that get smaller: first all, then each half, in the end each row. */
const removeRows = async (
  count: number,
  remove: (from: number, to: number) => Promise<boolean>,
): Promise<void> => {
  let left = count;
  for (let chunk = count; chunk >= 1; chunk = Math.floor(chunk / 2))
    for (let to = left; to > 0; to -= chunk)
      if (await remove(Math.max(0, to - chunk), to)) left -= Math.min(chunk, to);
};

/** Without some rows of a kind, and without the rows that refer to them. */
const withoutRows = (tenant: Tenant, kind: (typeof kinds)[number], from: number, to: number): Tenant => {
  const rest = { ...tenant, [kind]: tenant[kind].filter((_, i) => i < from || i >= to) };
  const repoIds = new Set(rest.repos.map(({ id }) => id));
  const fixDrafts = rest.fixDrafts.filter(({ repoId }) => repoIds.has(repoId));
  const draftIds = new Set(fixDrafts.map(({ id }) => id));
  return {
    repos: rest.repos,
    scans: rest.scans.filter(({ repoId }) => repoIds.has(repoId)),
    fixDrafts,
    pullRequests: rest.pullRequests.filter(({ draftId }) => draftIds.has(draftId)),
  };
};

const base = 'http://localhost';

const withoutParameter = (path: string, name: string): string => {
  const url = new URL(path, base);
  url.searchParams.delete(name);
  return `${url.pathname}${url.search}`;
};

/** The number of rows and parameters. */
export const sizeOf = ({ left, right, path }: Example): number =>
  [left, right].flatMap((tenant) => kinds.flatMap((kind) => tenant[kind])).length +
  Array.from(new URL(path, base).searchParams).length;
