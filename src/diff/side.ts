import type { NamedSecret } from '../client/api-request.js';
import type { Asking } from '../verify/reading.js';

/** One of the two servers, and what to ask it with. */
export type Side = Readonly<{
  reading: Asking;
  session: NamedSecret;
  token: NamedSecret | null;
}>;

/** Both servers. */
export type Sides = Readonly<{ left: Side; right: Side }>;
