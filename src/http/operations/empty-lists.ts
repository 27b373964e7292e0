import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import type { Storage } from '../../storage/port.js';

/** A storage whose lists have no rows. Credentials are judged as usual. */
export const emptyLists = (storage: Storage): Storage => ({
  ...storage,
  repos: (credentials) =>
    pipe(
      storage.repos(credentials),
      TE.map(() => []),
    ),
  findings: (credentials, query) =>
    pipe(
      storage.findings(credentials, query),
      TE.map(() => ({ rows: [], total: 0 })),
    ),
  prs: (credentials, query) =>
    pipe(
      storage.prs(credentials, query),
      TE.map(() => ({ rows: [], total: 0 })),
    ),
});
