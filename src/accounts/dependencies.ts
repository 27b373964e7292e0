import type { Clock } from '../common/clock.js';
import type { PasswordHash } from '../records/password-hash.js';
import type { AccountStorage } from '../storage/port.js';
import type { AttemptLimiter } from './attempt-limiter.js';
import type { DemoTemplate } from './demo-rows.js';

/** All that the web flows are made of; each takes the part that it needs. */
export type AccountDependencies = Readonly<{
  storage: AccountStorage;
  clock: Clock;
  attempts: AttemptLimiter;
  hashPassword: (password: string) => Promise<PasswordHash>;
  isPassword: (password: string, hash: PasswordHash | null) => Promise<boolean>;
  /** The rows that new accounts begin with, looking as they should look at that moment. */
  demo: (now: number) => DemoTemplate;
}>;
