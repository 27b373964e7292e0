import type { SecretHash } from '../records/secret-hash.js';
import type { SecurityEvent } from './security-event.js';

/** Who sends a request about accounts. */
export type Visitor = Readonly<{
  /** The network address, as limits count it: an IPv6 address is its network. */
  address: string;
  /** The hash of the session that the request carries, whether it is valid or not. */
  session: SecretHash | null;
  /** Whether the client has closed the connection, so that nobody waits for a response. */
  hasLeft: () => boolean;
  /** Reports what happens to an account. */
  report: (event: SecurityEvent) => void;
}>;
