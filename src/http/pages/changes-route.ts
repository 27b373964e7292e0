import type { IncomingMessage } from 'node:http';
import type Router from '@koa/router';
import type { Context } from 'koa';
import * as E from '#fp-ts/Either';
import { explorerPaths } from '../../pages/paths.js';
import { isCurrent } from '../operations/cache-headers.js';
import { respond } from '../response.js';
import { type Changes, ChangesAnswer } from './changes.js';
import type { WebContext } from './web-context.js';

/** How long a page waits between two requests, in milliseconds. Pages wait longer when nothing happens. */
const everyHere = 1000;
const everyElsewhere = 10_000;

export type ChangesDependencies = Pick<WebContext, 'responses' | 'signedInUser'> &
  Readonly<{
    changes: Changes;
    /** Whether a request may see the paths and lines of files, as those who may use the mock controls. */
    maySeeFiles: (request: IncomingMessage) => boolean;
  }>;

/**
 * `GET /explore/changes`: whether what the pages show has changed. A request takes one look at the session,
 * and its answer is a 304 as long as nothing changes.
 */
export const addChanges = (router: Router, dependencies: ChangesDependencies): void => {
  const { changes, maySeeFiles, responses, signedInUser } = dependencies;
  let problemsBefore = changes.problems();
  let problemsVersion = 0;
  router.get(
    explorerPaths.changes,
    respond(async (ctx: Context) => {
      const user = await signedInUser(ctx)();
      if (E.isLeft(user)) return responses.jsonFailure(ctx, user.left);
      if (user.right === null) return responses.jsonFailure(ctx, { _tag: 'Unauthorized' });
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
    }),
  );
};
