import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { listsServedFor } from '../../src/cli/record/served-lists.js';
import type { HttpResponse, Send, Unreachable } from '../../src/client/http.js';
import { Timestamp } from '../../src/codecs/timestamp.js';
import type { Answers } from '../../src/recorder/answers.js';
import type { Heard, Journal } from '../../src/recorder/journal.js';
import { type NotRecorded, type Recording, record } from '../../src/recorder/record.js';
import { seedFor } from '../../src/recorder/seed.js';
import type { TenantRows } from '../../src/records/dataset.js';
import { aDraft, aPullRequest, aRepo, aScan, at, aUser, dataset, now } from '../_data.js';

/** The session that the server of these tests is asked with. */
export const session = 'the-real-secret/1';

/** What a server shows that has these rows. */
export const answersOf = (rows: TenantRows): Answers => listsServedFor(structuredClone(rows));

/** A repository with a scan, and as many findings as wanted, each with a pull request; the first is the newest. */
export const rowsWith = (count: number): TenantRows => {
  const days = (index: number): string => new Date(at(now) - index * 60_000).toISOString();
  const each = <A>(make: (index: number) => A): readonly A[] =>
    Array.from({ length: count }, (_, i) => make(i));
  const { repos, scans, fixDrafts, pullRequests } = dataset({
    user: aUser('someone'),
    repos: [aRepo('web')],
    scans: [aScan('scan_1', 'web')],
    fixDrafts: each((i) => aDraft(`fix_${i}`, 'web', { discoveredAt: days(i) })),
    pullRequests: each((i) =>
      aPullRequest(`own_${i}`, `fix_${i}`, {
        createdAt: days(i),
        updatedAt: days(i),
        prUrl: `https://x.test/${i}`,
      }),
    ),
  });
  return { repos, scans, fixDrafts, pullRequests };
};

/** An answer in JSON, at a moment of the server's clock. */
export const json = (body: unknown, status = 200): HttpResponse => ({
  status,
  headers: { date: 'Fri, 20 Nov 2026 12:00:00 GMT' },
  text: JSON.stringify(body),
});

/** What is answered to a target instead of what it would be; `count` counts requests from 1. Undefined: nothing else. */
export type Instead = (target: URL, count: number) => HttpResponse | Unreachable | undefined;

/** A server over answers, which may change while it is asked. */
export const sendOver = (current: () => Answers, instead: Instead = () => undefined): Send => {
  let count = 0;
  return ({ target }) =>
    async () => {
      count += 1;
      const url = new URL(target, 'http://recorded.test');
      const other = instead(url, count);
      if (other !== undefined) return '_tag' in other ? E.left(other) : E.right(other);
      return E.right(answerFrom(current(), url));
    };
};

const answerFrom = ({ repos, findings, prs }: Answers, { pathname, searchParams }: URL): HttpResponse => {
  if (pathname === '/api/v1/repos') return json(repos);
  if (pathname === '/api/v1/findings' || pathname === '/api/v1/prs') {
    const rows = pathname === '/api/v1/prs' ? prs : findings;
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

/** A journal in memory. */
export const aJournal = (before: readonly Heard[] = []): Journal & Readonly<{ added: readonly Heard[] }> => {
  const added: Heard[] = [];
  return {
    before,
    added,
    add: (heard) => {
      added.push(heard);
      return TE.right(undefined);
    },
  };
};

/** Records without ever waiting. */
export const recorded = (
  send: Send,
  {
    journal = aJournal(),
    maxRequests = 100,
    asOf,
  }: Partial<Readonly<{ journal: Journal; maxRequests: number; asOf: string }>> = {},
): Promise<E.Either<NotRecorded, Recording>> =>
  record(
    {
      send,
      pace: { gap: 0, maxRequests, clock: () => at(now), sleep: async () => {} },
      wallClock: () => at('2030-01-01T00:00:00.000Z'),
      journal,
      served: listsServedFor,
      tell: () => {},
    },
    {
      session,
      cookieName: 'session',
      seed: seedFor('team', {}),
      schema: undefined,
      asOf: Timestamp.is(asOf) ? asOf : undefined,
    },
  );

/** The recording, where there is one. */
export const theRecording = (result: E.Either<NotRecorded, Recording>): Recording => {
  if (E.isLeft(result)) throw new Error(result.left.lines.join('\n'));
  return result.right;
};

/** Why there is none, where there is none. */
export const whyNot = (result: E.Either<NotRecorded, Recording>): readonly string[] => {
  if (E.isRight(result)) throw new Error('it was recorded');
  return result.left.lines;
};
