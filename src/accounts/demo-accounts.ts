import type { UserRecord } from '../records/user.js';

/** An account of the fixtures, as the pages offer it to visitors. */
export type DemoAccount = Pick<UserRecord, 'id' | 'email' | 'name'> &
  Readonly<{
    /** Null: the pages must not show it. */
    password: string | null;
    /** What the tenant is for: a sentence or two. */
    purpose: string;
    repos: number;
    findings: number;
    openPrs: number;
  }>;

/** The accounts of the fixtures, of which visitors may use some without knowing a password. */
export type DemoAccounts = Readonly<{
  /** The first ones: a page shows no more. */
  shown: readonly DemoAccount[];
  /** How many there are. */
  total: number;
  /** The account with this id or e-mail address; null: the fixtures have none. */
  find: (account: string) => Pick<UserRecord, 'id' | 'email'> | null;
  /**
   * Whether they are the accounts of the package, which everyone knows. Others are open only to visitors on
   * this machine.
   */
  areShipped: boolean;
}>;

/** There are none, as over a database. */
export const noDemoAccounts: DemoAccounts = { shown: [], total: 0, find: () => null, areShipped: false };
