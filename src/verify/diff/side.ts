import type { Credential } from '../../asking/credential.js';
import type { Asking } from '../reading.js';

/** One of the two servers, and what to ask it with. */
export type Side = Readonly<{
  reading: Asking;
  session: Credential;
  token: Credential | null;
}>;

/** Both servers. */
export type Sides = Readonly<{ left: Side; right: Side }>;
