import type { handlers } from '../operations/handlers.js';
import type { exploring } from './exploring.js';
import type { ReadRepoNames } from './read-repos.js';

/** What the routes of the explorer share. */
export type ExploreContext = Readonly<{
  /** The operations of the API, as functions. */
  api: ReturnType<typeof handlers>;
  repoNamesOf: ReadRepoNames;
  strict: boolean;
  exploring: ReturnType<typeof exploring>;
}>;
