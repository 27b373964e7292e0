import fc from 'fast-check';
import type { ListQuery, Tenant } from './contract-model.js';
import { aDraft, aPullRequest, aRepo, aScan, aSession, aUser } from './sample-rows.js';

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
const keyed = <A>(maxRows: number, row: (id: string) => fc.Arbitrary<A>): fc.Arbitrary<A[]> =>
  fc
    .uniqueArray(
      fc.tuple(fc.constantFrom(...ids), fc.nat(maxRows)).map(([id, n]) => `${id}${n || ''}`),
      { maxLength: maxRows },
    )
    .chain((keys) => fc.tuple(...keys.map(row)));

/** A tenant with valid references. */
export const tenant: fc.Arbitrary<Tenant> = keyed(5, (id) =>
  fc
    .record({ owner: text.filter((owner) => owner.trim() === owner), isDemoRow: fc.boolean() })
    .map((over) => aRepo(id, over)),
).chain((repos): fc.Arbitrary<Tenant> => {
  if (repos.length === 0) return fc.constant({ repos, scans: [], fixDrafts: [], pullRequests: [] });
  const repoId = fc.constantFrom(...repos.map((repo) => String(repo.id)));
  return fc
    .tuple(
      keyed(8, (id) =>
        fc
          .record({ repoId, startedAt: moment })
          .map(({ repoId, startedAt }) => aScan(id, repoId, { startedAt })),
      ),
      keyed(40, (id) =>
        fc
          .record({
            repoId,
            discoveredAt: moment,
            severity,
            status: findingStatus,
            advisoryId: fc.constantFrom('A', 'B'),
            package: text,
          })
          .map(({ repoId, ...over }) => aDraft(id, repoId, over)),
      ),
    )
    .chain(([scans, fixDrafts]): fc.Arbitrary<Tenant> => {
      if (fixDrafts.length === 0) return fc.constant({ repos, scans, fixDrafts, pullRequests: [] });
      const draftId = fc.constantFrom(...fixDrafts.map((draft) => String(draft.id)));
      return keyed(40, (id) =>
        fc
          .record({ draftId, createdAt: moment, updatedAt: moment, prState, hasCodemod: fc.boolean() })
          .map(({ draftId, ...over }) => aPullRequest(id, draftId, over)),
      ).map((pullRequests) => ({ repos, scans, fixDrafts, pullRequests }));
    });
});

/** A tenant as the content of a fixture file. `name` is the user id and the session value. */
export const asFixture = (name: string, data: Tenant) => ({
  user: aUser(name),
  sessions: [aSession(name)],
  ...data,
});

const paging = { page: fc.integer({ min: 1, max: 6 }), limit: fc.constantFrom(1, 2, 7, 25, 100, 101, 5000) };
const anyId = fc.constantFrom(...ids, 'unknown');

export const anId = anyId;
export const findingsQuery: fc.Arbitrary<ListQuery> = fc.record(
  { ...paging, repoId: anyId, severity, status: findingStatus },
  { requiredKeys: [] },
);
export const prsQuery: fc.Arbitrary<ListQuery> = fc.record(
  { ...paging, repoId: anyId, status: fc.constantFrom('open', 'merged', 'closed') },
  { requiredKeys: [] },
);
