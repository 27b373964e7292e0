import type { AccountDependencies } from '../accounts/dependencies.js';
import type { ServerMode } from '../pages/layout.js';
import type { DemoAccount } from '../pages/start-page.js';
import type { Storage } from '../storage/port.js';

/** Where the data comes from, opened: the storage, and what the command line and the pages tell of it. */
export type DataSource = Readonly<{
  storage: Storage;
  mode: ServerMode;
  /** The rows that new accounts begin with, as they should look at that moment. */
  demo: AccountDependencies['demo'];
  /** The accounts that the start page offers. */
  demoAccounts: () => readonly DemoAccount[];
  /** What is printed before the listening line. */
  banner: (baseUrl: string) => readonly string[];
  /** What to warn of when other machines can reach the server; null: nothing. */
  exposure: string | null;
  /** To be called once the server listens: what goes on beside it begins. */
  begin: () => void;
  /** Resolves if it turns out that it cannot be served after all: why, a line for each reason. */
  failed: Promise<readonly string[]>;
  /** Keeps what is not kept yet, and ends what goes on beside the server. */
  close: () => Promise<void>;
}>;
