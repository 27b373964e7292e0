import type { Clock } from '../common/clock.js';
import type { PasswordHash } from '../records/password-hash.js';
import type { AccountStorage } from '../storage/port.js';
import type { AttemptLimiter } from './attempt-limiter.js';
import type { DemoTemplate } from './demo-rows.js';

/** What the account flows depend on; each takes the part that it needs. */
export type AccountDependencies = Readonly<{
  storage: AccountStorage;
  clock: Clock;
  attempts: AttemptLimiter;
  hashPassword: (password: string) => Promise<PasswordHash>;
  isPassword: (password: string, hash: PasswordHash | null) => Promise<boolean>;
  /** The rows that new accounts start with, dated for the given moment. */
  demo: (now: number) => DemoTemplate;
}>;
