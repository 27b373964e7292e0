import * as E from 'fp-ts/lib/Either.js';
import type { TenantRows } from '../../../src/api/row-records.js';
import type { HttpResponse, Send } from '../../../src/client/fetch-send.js';
import { Timestamp } from '../../../src/contract/codecs/timestamp.js';
import { operations } from '../../../src/contract/operations.js';
import { fixtureUserFor, listsServedFor } from '../../../src/verify/record/fixture-from-lists.js';
import type { TenantLists } from '../../../src/verify/record/read-lists.js';
import { record } from '../../../src/verify/record/record.js';
import { aDraft, aPullRequest, aRepo, aScan, at, aUser, dataset, now } from '../../_data.js';

/** The session with which these tests record. */
export const session = 'the-real-secret/1';

/** The credentials in the files of these tests. */
const fileCredentials = { password: 'file-password', session: 'file-session', token: 'file-token' };

/** The lists of a server that serves these rows. */
export const listsOf = (rows: TenantRows): TenantLists => listsServedFor(structuredClone(rows));

/** A repository with a scan and `count` findings, each with a pull request; `fix_0` is the newest. */
const rowsWith = (count: number): TenantRows => {
  const minutesAgo = (index: number): string => new Date(at(now) - index * 60_000).toISOString();
  const each = <A>(make: (index: number) => A): readonly A[] =>
    Array.from({ length: count }, (_, i) => make(i));
  const { repos, scans, fixDrafts, pullRequests } = dataset({
    user: aUser('someone'),
    repos: [aRepo('web')],
    scans: [aScan('scan_1', 'web')],
    fixDrafts: each((i) => aDraft(`fix_${i}`, 'web', { discoveredAt: minutesAgo(i) })),
    pullRequests: each((i) =>
      aPullRequest(`own_${i}`, `fix_${i}`, {
        createdAt: minutesAgo(i),
        updatedAt: minutesAgo(i),
        prUrl: `https://x.test/${i}`,
      }),
    ),
  });
  return { repos, scans, fixDrafts, pullRequests };
};

/** The lists of a small server, and of one with three pages of findings and of pull requests. */
export const few = listsOf(rowsWith(3));
export const many = listsOf(rowsWith(250));

/** The lists of the small server with other fields in each repository, finding or pull request. */
export const withFields = (over: Partial<Record<keyof TenantLists, object>>): TenantLists => ({
  repos: few.repos.map((repo) => ({ ...repo, ...over.repos })),
  findings: few.findings.map((finding) => ({ ...finding, ...over.findings })),
  prs: few.prs.map((pr) => ({ ...pr, ...over.prs })),
});

export const without = <A>(rows: readonly A[], index: number): readonly A[] =>
  rows.filter((_, i) => i !== index);

export const idsIn = (rows: readonly Readonly<{ id: string }>[]) => rows.map(({ id }) => id);

/** A JSON response, dated by the server's clock. */
export const json = (body: unknown, status = 200): HttpResponse => ({
  status,
  headers: { date: 'Fri, 20 Nov 2026 12:00:00 GMT' },
  text: JSON.stringify(body),
});

/** Overrides the response to some requests. Undefined: the usual response. */
type Override = (target: URL) => HttpResponse | undefined;

/** A server with these lists. `current` is called for each request, so the lists can change in between. */
export const serverWith =
  (current: () => TenantLists, override: Override = () => undefined): Send =>
  async ({ target }) => {
    const url = new URL(target, 'http://recorded.test');
    const lists = current();
    return E.right(override(url) ?? responseTo(url, lists));
  };

/** A server with these lists that never change, and this response to all requests for `path`. */
export const serverThatSends = (lists: TenantLists, path: string, response: HttpResponse): Send =>
  serverWith(
    () => lists,
    ({ pathname }) => (pathname === path ? response : undefined),
  );

const responseTo = ({ pathname, searchParams }: URL, { repos, findings, prs }: TenantLists): HttpResponse => {
  const { listConnectedRepos, listFindings, listPrs } = operations;
  if (pathname === listConnectedRepos.path) return json(repos);
  if (pathname === listFindings.path || pathname === listPrs.path) {
    const rows = pathname === listPrs.path ? prs : findings;
    const [page, limit] = [Number(searchParams.get('page')), Number(searchParams.get('limit'))];
    return json({
      items: rows.slice((page - 1) * limit, page * limit),
      page,
      limit,
      totalItems: rows.length,
      totalPages: Math.ceil(rows.length / limit),
    });
  }
  return json({ error: 'finding not found' }, 404);
};

type Options = Readonly<{ maxRequests?: number; asOf?: string; value?: string }>;

/** Records a server, or one with lists that do not change, without waiting between requests. */
export const recordFrom = (
  server: Send | TenantLists,
  { maxRequests = 100, asOf, value = session }: Options = {},
) =>
  record(
    {
      send: typeof server === 'function' ? server : serverWith(() => server),
      throttleOptions: { gap: 0, maxRequests, clock: () => at(now), sleep: async () => {} },
      wallClock: () => at('2030-01-01T00:00:00.000Z'),
      onProgress: () => {},
    },
    {
      session: value,
      cookieName: 'session',
      user: fixtureUserFor('team', { email: undefined, name: undefined }, fileCredentials),
      schema: undefined,
      asOf: Timestamp.is(asOf) ? asOf : undefined,
    },
  );

/** The recording; throws if there is none. */
export const recordingOf = async (...recorded: Parameters<typeof recordFrom>) => {
  const result = await recordFrom(...recorded);
  if (E.isLeft(result)) throw new Error(result.left.join('\n'));
  return result.right;
};

/** Why there is no recording; throws if there is one. */
export const failureOf = async (...recorded: Parameters<typeof recordFrom>): Promise<readonly string[]> => {
  const result = await recordFrom(...recorded);
  if (E.isRight(result)) throw new Error('it was recorded');
  return result.left;
};
