import type { Clock } from '../common/clock.js';
import type { PasswordHash } from '../records/password-hash.js';
import type { AccountStorage } from '../storage/port.js';
import type { AttemptLimiter } from './attempt-limiter.js';
import type { DemoTemplate } from './demo-rows.js';
import type { HashingQueue } from './hashing-queue.js';
import type { Personas } from './personas.js';
import type { PublishedAccounts } from './published-accounts.js';

/** What the account flows depend on; each takes the part that it needs. */
export type AccountDependencies = PublishedAccounts &
  Readonly<{
    storage: AccountStorage;
    clock: Clock;
    attempts: AttemptLimiter;
    /** Decides when the two functions below may be called for a visitor. */
    hashing: HashingQueue;
    hashPassword: (password: string) => Promise<PasswordHash>;
    isPassword: (password: string, hash: PasswordHash | null) => Promise<boolean>;
    /** The rows that new accounts start with, dated for the given moment. */
    demo: (now: number) => DemoTemplate;
    /** The rows that visitors may choose instead. */
    personas: Personas;
  }>;
