import type { NamedSecret } from '../client/named-secret.js';
import type { CachingClient } from '../verify/caching-client.js';

/** One of the two servers, and what to ask it with. */
export type Side = Readonly<{
  client: CachingClient;
  session: NamedSecret;
  token: NamedSecret | null;
}>;

/** Both servers. */
export type Sides = Readonly<{ left: Side; right: Side }>;
