import type { RequestAuth } from '../../client/api-request.js';
import { invalidSession, invalidToken, type TestCredentials } from '../test-credentials.js';

/** A row of the table: who asks, and which credential of theirs is good; `null`: none is. */
export type Combination = Readonly<{
  id: string;
  words: string;
  who: (credentials: TestCredentials) => RequestAuth | null;
  /** Of the credentials sent, those that are good. */
  good: readonly ('session' | 'bearer')[];
  /** What a run must be given for it. */
  needed?: string;
}>;

const withOptional = (who: RequestAuth): RequestAuth | null =>
  who.session === null && who.bearer === null ? null : who;

/** All that is tried on each operation. */
export const combinations: readonly Combination[] = [
  { id: 'none', words: 'no credentials', who: () => ({ session: null, bearer: null }), good: [] },
  {
    id: 'invalid-cookie',
    words: 'an invalid cookie',
    who: () => ({ session: invalidSession, bearer: null }),
    good: [],
  },
  {
    id: 'invalid-bearer',
    words: 'an invalid bearer token',
    who: () => ({ session: null, bearer: invalidToken }),
    good: [],
  },
  {
    id: 'both-invalid',
    words: 'an invalid cookie and an invalid bearer token',
    who: () => ({ session: invalidSession, bearer: invalidToken }),
    good: [],
  },
  {
    id: 'expired-cookie',
    words: 'an expired cookie',
    who: ({ expiredSession }) => withOptional({ session: expiredSession, bearer: null }),
    good: [],
    needed: 'an expired session (--expired-session)',
  },
  {
    id: 'expired-bearer',
    words: 'an expired bearer token',
    who: ({ expiredToken }) => withOptional({ session: null, bearer: expiredToken }),
    good: [],
    needed: 'an expired token (--expired-token)',
  },
  {
    id: 'cookie',
    words: 'a good cookie',
    who: ({ session }) => ({ session, bearer: null }),
    good: ['session'],
  },
  {
    id: 'bearer',
    words: 'a good bearer token',
    who: ({ token }) => ({ session: null, bearer: token }),
    good: ['bearer'],
  },
  {
    id: 'both',
    words: 'a good cookie and a good bearer token',
    who: ({ session, token }) => ({ session, bearer: token }),
    good: ['session', 'bearer'],
  },
  {
    id: 'cookie-and-invalid-bearer',
    words: 'a good cookie and an invalid bearer token',
    who: ({ session }) => ({ session, bearer: invalidToken }),
    good: ['session'],
  },
  {
    id: 'bearer-and-invalid-cookie',
    words: 'a good bearer token and an invalid cookie',
    who: ({ token }) => ({ session: invalidSession, bearer: token }),
    good: ['bearer'],
  },
];
