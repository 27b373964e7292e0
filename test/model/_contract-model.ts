/**
 * A slow, simple implementation of the API to compare with: it filters, sorts and counts raw JSON anew for
 * every request. It imports nothing, so it cannot repeat a mistake of the real one; it follows the contract
 * and the documented decisions.
 */
type Row = Readonly<Record<string, unknown>>;
export type Tenant = Readonly<{
  repos: readonly Row[];
  scans: readonly Row[];
  fixDrafts: readonly Row[];
  pullRequests: readonly Row[];
}>;
export type ListQuery = Readonly<{
  page?: number;
  limit?: number;
  repoId?: string;
  severity?: string;
  status?: string;
}>;

const bytes = (value: unknown): Buffer => Buffer.from(String(value), 'utf8');
const ascending = (field: string) => (l: Row, r: Row) => Buffer.compare(bytes(l[field]), bytes(r[field]));
const descending = (field: string) => (l: Row, r: Row) => ascending(field)(r, l);
const sorted = (rows: readonly Row[], ...orders: readonly ((l: Row, r: Row) => number)[]): Row[] =>
  [...rows].sort((l, r) => orders.map((order) => order(l, r)).find((n) => n !== 0) ?? 0);

const envelope = (all: readonly Row[], { page = 1, limit = 25 }: ListQuery) => {
  const size = limit > 100 ? 100 : limit;
  const items = all.filter((_, i) => i >= (page - 1) * size && i < page * size);
  let totalPages = 0;
  while (totalPages * size < all.length) totalPages += 1;
  return { items, page, limit: size, totalItems: all.length, totalPages };
};

export const findings = (tenant: Tenant, query: ListQuery) => {
  const own = tenant.fixDrafts.filter((d) => query.repoId === undefined || d.repoId === query.repoId);
  const page = envelope(sorted(own, descending('discoveredAt'), ascending('id')), query);
  const items = page.items
    .filter((d) => query.severity === undefined || d.severity === query.severity)
    .filter((d) => query.status === undefined || d.status === query.status);
  return { ...page, items };
};

export const finding = (tenant: Tenant, id: string): unknown => {
  const draft = tenant.fixDrafts.find((d) => d.id === id);
  if (draft === undefined) return { error: 'finding not found' };
  return { ...draft, prCount: tenant.pullRequests.filter((p) => p.draftId === id).length };
};

const matches: Readonly<Record<string, readonly unknown[]>> = {
  open: ['open'],
  merged: ['merged'],
  closed: [null, 'closed', 'cancelled'],
};

export const prs = (tenant: Tenant, query: ListQuery) => {
  const rows = sorted(tenant.pullRequests, descending('createdAt'), ascending('id')).map((pr) => {
    const draft = Object(tenant.fixDrafts.find((d) => d.id === pr.draftId));
    const repo = Object(tenant.repos.find((r) => r.id === draft.repoId));
    const { id: _, draftId, ...own } = pr;
    return {
      ...own,
      id: draftId,
      repoId: repo.id,
      repo: { owner: repo.owner, repo: repo.repo },
      advisoryId: draft.advisoryId,
      package: draft.package,
    };
  });
  return envelope(
    rows
      .filter((pr) => query.repoId === undefined || pr.repoId === query.repoId)
      .filter(
        (pr) => query.status === undefined || (matches[query.status] ?? []).includes(Object(pr).prState),
      ),
    query,
  );
};

const minute = 60_000;

const ago = (moment: unknown, now: number): string => {
  const minutes = Math.floor((now - Date.parse(String(moment))) / minute);
  const steps: readonly (readonly [number, string])[] = [
    [365 * 24 * 60, 'year'],
    [30 * 24 * 60, 'month'],
    [7 * 24 * 60, 'week'],
    [24 * 60, 'day'],
    [60, 'hour'],
    [1, 'minute'],
  ];
  for (const [size, unit] of steps) {
    const n = Math.floor(minutes / size);
    if (n === 1) return `1 ${unit} ago`;
    if (n > 1) return `${n} ${unit}s ago`;
  }
  return 'just now';
};

const withoutRepo = ({ repoId: _, ...scan }: Row): Row => scan;

export const repos = (tenant: Tenant, now: number): readonly unknown[] => {
  const rows = tenant.repos.map((repo) => {
    const [lastScan] = sorted(
      tenant.scans.filter((s) => s.repoId === repo.id),
      descending('startedAt'),
      descending('id'),
    );
    const drafts = tenant.fixDrafts.filter((d) => d.repoId === repo.id);
    const open = sorted(
      tenant.pullRequests.filter((p) => p.prState === 'open' && drafts.some((d) => d.id === p.draftId)),
      descending('updatedAt'),
      ascending('id'),
    );
    return {
      ...repo,
      lastScan: lastScan ? withoutRepo(lastScan) : null,
      openPrCount: open.length,
      openAdvisoryCount: new Set(drafts.filter((d) => d.status !== 'resolved').map((d) => d.advisoryId)).size,
      lastScanAt: lastScan?.startedAt ?? null,
      lastScanRelative: lastScan ? ago(lastScan.startedAt, now) : 'never',
      hasOpenFixPr: open.length > 0,
      openFixDraftId: open[0]?.draftId ?? null,
      ownerInitial: String.fromCodePoint(String(repo.owner).codePointAt(0) ?? 32)
        .trim()
        .toUpperCase(),
    };
  });
  const scanned = rows.filter((r) => r.lastScanAt !== null);
  const never = rows.filter((r) => r.lastScanAt === null);
  return [...sorted(scanned, descending('lastScanAt'), ascending('id')), ...sorted(never, ascending('id'))];
};
