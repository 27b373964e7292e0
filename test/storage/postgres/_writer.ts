import type { ExecutionContext } from 'ava';
import { memberOf, setUp } from './_role.js';

/** The URL of a role that writes rows as docs/writing.md says, and may do nothing else. */
export const writerOf = async (t: ExecutionContext, url: string, attributes = ''): Promise<string> => {
  const { write } = await setUp(t, url);
  return memberOf(t, url, write, attributes);
};
