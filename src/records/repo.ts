import * as t from 'io-ts';
import { Closed } from '../vocabulary/closed.js';
import { Identifier, Text } from '../vocabulary/text.js';

/** A connected repository. `scanStatusBadge` and `status` are free-form. */
export const RepoRecord = new Closed(
  {
    id: Identifier,
    owner: Text,
    repo: Text,
    defaultBranch: Text,
    isDemoRow: t.boolean,
    scanStatusBadge: Text,
    status: Text,
  },
  'repo',
);
export type RepoRecord = t.TypeOf<typeof RepoRecord>;
