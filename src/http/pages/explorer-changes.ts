import * as t from 'io-ts';
import type { Context } from 'koa';
import * as E from '#fp-ts/Either';
import { listOf, nullable } from '../../contract/codecs/combinators.js';
import { StrictObject } from '../../contract/codecs/strict-object.js';
import { integerFrom } from '../../contract/codecs/text-and-numbers.js';
import { explorerPaths } from '../../pages/paths.js';
import { isCurrent } from '../operations/headers.js';
import type { ExploreDependencies } from './explorer-routes.js';
import type { WebContext } from './web.js';

const Place = new StrictObject(
  { file: t.string, line: integerFrom(1), column: integerFrom(1) },
  'place in a file',
);

const Problem = new StrictObject(
  { message: t.string, place: nullable(Place), frame: nullable(t.string) },
  'problem of a fixture',
);

/** The problems of changed fixtures that are not served: their number, and the first of them. */
export const Problems = new StrictObject({ total: integerFrom(0), first: listOf(Problem) }, 'problems');
export type Problems = t.TypeOf<typeof Problems>;

/** What the script of the explorer asks for again and again. */
const ChangesAnswer = new StrictObject(
  {
    /** Another text after each change of the data or the clock. */
    version: t.string,
    /** How long to wait before the next request, in milliseconds. */
    every: integerFrom(1),
    /** Null: the fixtures have none, or the client may not see them. */
    problems: nullable(Problems),
  },
  'changes',
);

/** What changes while a server runs, as far as it knows. */
export type Changes = Readonly<{
  /** Another text after each change of the data or the clock, and after a new start. */
  version: () => string;
  /** What is wrong with the fixtures that were to be served last; null: nothing. */
  problems: () => Problems | null;
}>;

/** How long a page waits between two requests, in milliseconds. Pages wait longer when nothing happens. */
const everyHere = 1000;
const everyElsewhere = 10_000;

/**
 * `GET /explore/changes`: whether what the pages show has changed. A request takes one look at the session,
 * and its answer is a 304 as long as nothing changes.
 */
export const addChanges = (
  { get, responses, signedInUser }: WebContext,
  changes: Changes,
  maySeeFiles: ExploreDependencies['maySeeFiles'],
): void => {
  let problemsBefore = changes.problems();
  let problemsVersion = 0;
  get(explorerPaths.changes, async (ctx: Context) => {
    const user = await signedInUser(ctx)();
    if (E.isLeft(user)) return responses.jsonFailure(ctx, user.left);
    const isHere = maySeeFiles(ctx.req);
    const [version, problems] = [changes.version(), changes.problems()];
    if (problems !== problemsBefore) [problemsBefore, problemsVersion] = [problems, problemsVersion + 1];
    const etag = `"${version}${isHere ? `-${problemsVersion}` : ''}"`;
    if (isCurrent(ctx.get('If-None-Match'), etag)) return { status: 304, headers: { ETag: etag } };
    const answered = responses.json(ctx, 200, ChangesAnswer, {
      version,
      every: isHere ? everyHere : everyElsewhere,
      problems: isHere ? problems : null,
    });
    return { ...answered, headers: { ...answered.headers, ETag: etag } };
  });
};
