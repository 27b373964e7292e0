import type { PageContext } from '../layout.js';

/** What every view of the explorer depends on besides its data. */
export type ViewContext = Readonly<{
  page: PageContext;
  /** The current time in milliseconds, for relative times. */
  now: number;
  /** Where clients reach this server, such as `http://127.0.0.1:4000`; for requests to copy. */
  origin: string;
  /** The version of the data that the page shows, for its script to notice a change; null: unknown. */
  version: string | null;
}>;

/** What values are shown with: the current time, and the names of repositories by their ids. */
export type Shown = Readonly<{
  now: number;
  /** `owner/repo`; null: the repository is not known. */
  repoName: (repoId: string) => string | null;
}>;
