import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import {
  type ApiRequest,
  describeRequest,
  type Query,
  type RequestAuth,
  withSession,
} from '../client/api-request.js';
import { type ListName, pageRequest, reposRequest } from '../client/operation-requests.js';
import { maxLimit } from '../contract/parameters.js';
import type { CheckBlocked } from './check-blocked.js';
import { knownFields } from './known-part.js';
import type { Exchange, Reading } from './reading.js';
import { isRow, type Row, rowsOf, type Seen, wholeIn } from './row.js';
import type { TestCredentials } from './test-credentials.js';

/** One page of a list: its envelope as it came, and its items. */
export type Page = Readonly<{ ask: ApiRequest; envelope: Row; items: readonly Seen<unknown>[] }>;

/** All pages of a list, and of the items on them that are objects what the contract knows. */
export type List = Readonly<{ first: ApiRequest; pages: readonly Page[]; rows: readonly Seen[] }>;

/** The tenant that is judged, or the second one. */
export type Party = 'own' | 'other';

/** The sections of the contract on them. */
export const sectionOf: Readonly<Record<ListName, string>> = { findings: '4.2', prs: '4.4' };

/** The tenant that is judged, by session. */
export const own = ({ credentials }: Readonly<{ credentials: TestCredentials }>): RequestAuth =>
  withSession(credentials.session);

/** The session of a party. */
export const sessionOf = (
  { credentials }: Reading,
  party: Party,
): TE.TaskEither<CheckBlocked, RequestAuth> => {
  const session = party === 'own' ? credentials.session : credentials.otherSession;
  return session === null
    ? TE.left(unusable('a second tenant (--other-session)'))
    : TE.right(withSession(session));
};

export const unusable = (needed: string): CheckBlocked => ({ _tag: 'Unusable', needed });

/** An answer as a page, where it is 200 and has items. */
export const asPage = ({ ask, answer, body }: Exchange): Page | null => {
  if (answer.status !== 200 || !isRow(body) || !Array.isArray(body.items)) return null;
  return {
    ask,
    envelope: body,
    items: body.items.map((value: unknown, index) => ({ value, from: ask, path: ['items', String(index)] })),
  };
};

/** The page that a request is answered with. */
export const pageOf = (reading: Reading, ask: ApiRequest): TE.TaskEither<CheckBlocked, Page> =>
  pipe(
    reading.ask(ask),
    TE.flatMap((exchange) => {
      const page = asPage(exchange);
      return page === null
        ? TE.left(unusable(`${describeRequest(ask)} to answer 200 with a page`))
        : TE.right(page);
    }),
  );

/** Every page of a list, until as many rows have come as there are said to be, or a page is empty. */
export const walk = (
  reading: Reading,
  who: RequestAuth,
  name: ListName,
  query: Query = [],
  limit: number = maxLimit,
): TE.TaskEither<CheckBlocked, List> => {
  const from = (
    number: number,
    before: readonly Page[],
    seen: number,
  ): TE.TaskEither<CheckBlocked, readonly Page[]> =>
    pipe(
      pageOf(reading, pageRequest(name, number, limit, query, who)),
      TE.flatMap((page) => {
        const pages = [...before, page];
        const rows = seen + page.items.length;
        const isLast = page.items.length === 0 || rows >= (wholeIn(page.envelope, 'totalItems') ?? 0);
        return isLast ? TE.right(pages) : from(number + 1, pages, rows);
      }),
    );
  return pipe(
    from(1, [], 0),
    TE.map((pages) => ({
      first: pageRequest(name, 1, limit, query, who),
      pages,
      rows: rowsOf(pages.flatMap(({ items }) => items)).map((row) => ({
        ...row,
        value: knownFields(row.value),
      })),
    })),
  );
};

/** Every finding, or every pull request, of a party. */
export const allOf = (
  reading: Reading,
  name: ListName,
  party: Party = 'own',
): TE.TaskEither<CheckBlocked, List> =>
  pipe(
    sessionOf(reading, party),
    TE.flatMap((who) => walk(reading, who, name)),
  );

/** Every repository of a party. */
export const reposOf = (
  reading: Reading,
  party: Party = 'own',
): TE.TaskEither<CheckBlocked, readonly Seen[]> => pipe(repoValuesOf(reading, party), TE.map(rowsOf));

/** The same, whether they are objects or not. */
export const repoValuesOf = (
  reading: Reading,
  party: Party,
): TE.TaskEither<CheckBlocked, readonly Seen<unknown>[]> =>
  pipe(
    sessionOf(reading, party),
    TE.flatMap((who) => reading.ask(reposRequest(who))),
    TE.flatMap(({ ask, answer, body }) =>
      answer.status === 200 && Array.isArray(body)
        ? TE.right(body.map((value: unknown, index) => ({ value, from: ask, path: [String(index)] })))
        : TE.left(unusable(`${describeRequest(ask)} to answer 200 with an array`)),
    ),
  );
