import fc from 'fast-check';
import { aDraft, aPullRequest, aRepo, aScan, aSession, aUser } from './sample-rows.js';

type Row = Readonly<Record<string, unknown>>;

/** The rows of a tenant, undecoded. */
export type Tenant = Readonly<Record<'repos' | 'scans' | 'fixDrafts' | 'pullRequests', readonly Row[]>>;

/** The parameters of a list. */
export type ListQuery = Readonly<
  Partial<Record<'page' | 'limit', number> & Record<'repoId' | 'severity' | 'status', string>>
>;

/**
 * Few ids, so that tenants share them and filters match. Some sort differently by code point and by UTF-16
 * unit.
 */
const ids = ['a', 'b', 'B', 'ä', '\uffee', '😀', 'a/b', '%61', 'z z'];

/** Few moments, so that many rows tie. */
const moment = fc.constantFrom(
  '2026-11-20T11:59:59.999Z',
  '2026-11-20T11:00:00.000Z',
  '2026-11-20T11:00:00.001Z',
  '2026-11-13T12:00:00.000Z',
  '2025-01-01T00:00:00.000Z',
  '2027-01-01T00:00:00.000Z',
);

const text = fc.string({ unit: 'grapheme', maxLength: 5 });
const severity = fc.constantFrom('critical', 'high', 'medium', 'low');
const findingStatus = fc.constantFrom('pending', 'drafting', 'escalated', 'resolved');
const prState = fc.constantFrom('open', 'merged', 'closed', 'cancelled', null, 'draft', 'Open', '');

/** Up to `maxRows` rows with unique ids. */
const keyed = <A>(maxRows: number, fields: fc.Arbitrary<A>): fc.Arbitrary<(readonly [string, A])[]> =>
  fc.uniqueArray(
    fc.tuple(
      fc.tuple(fc.constantFrom(...ids), fc.nat(maxRows)).map(([id, n]) => `${id}${n || ''}`),
      fields,
    ),
    { maxLength: maxRows, size: '+1', selector: ([id]) => id },
  );

/** Which of the rows is referred to: as no row depends on another one, a tenant is reduced quickly. */
const reference = fc.nat(1000);
const idAt = (rows: readonly Row[], n: number): string => String(rows[n % rows.length]?.id);

const repo = fc.record({ owner: text.filter((owner) => owner.trim() === owner), isDemoRow: fc.boolean() });
const scan = fc.record({ startedAt: moment });
const draft = fc.record({
  discoveredAt: moment,
  severity,
  status: findingStatus,
  advisoryId: fc.constantFrom('A', 'B'),
  package: text,
});
const pullRequest = fc.record({ createdAt: moment, updatedAt: moment, prState, hasCodemod: fc.boolean() });

/** A tenant with valid references. */
export const tenant: fc.Arbitrary<Tenant> = fc
  .record({
    repos: keyed(8, repo),
    scans: keyed(8, fc.tuple(reference, scan)),
    drafts: keyed(40, fc.tuple(reference, draft)),
    pullRequests: keyed(40, fc.tuple(reference, pullRequest)),
  })
  .map((rows) => {
    const repos = rows.repos.map(([id, over]) => aRepo(id, over));
    const [scans, drafts] = repos.length === 0 ? [[], []] : [rows.scans, rows.drafts];
    const fixDrafts = drafts.map(([id, [n, over]]) => aDraft(id, idAt(repos, n), over));
    const pullRequests = fixDrafts.length === 0 ? [] : rows.pullRequests;
    return {
      repos,
      scans: scans.map(([id, [n, over]]) => aScan(id, idAt(repos, n), over)),
      fixDrafts,
      pullRequests: pullRequests.map(([id, [n, over]]) => aPullRequest(id, idAt(fixDrafts, n), over)),
    };
  });

/** A tenant as the content of a fixture file. `name` is the user id and the session value. */
export const asFixture = (name: string, data: Tenant) => ({
  user: aUser(name),
  sessions: [aSession(name)],
  ...data,
});

const paging = { page: fc.integer({ min: 1, max: 6 }), limit: fc.constantFrom(1, 2, 7, 25, 100, 101, 5000) };
export const anId = fc.constantFrom(...ids, 'unknown');
export const findingsQuery: fc.Arbitrary<ListQuery> = fc.record(
  { ...paging, repoId: anId, severity, status: findingStatus },
  { requiredKeys: [] },
);
export const prsQuery: fc.Arbitrary<ListQuery> = fc.record(
  { ...paging, repoId: anId, status: fc.constantFrom('open', 'merged', 'closed') },
  { requiredKeys: [] },
);
