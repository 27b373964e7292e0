import * as t from 'io-ts';
import { Closed } from '../vocabulary/closed.js';
import { described } from '../vocabulary/described.js';
import { Identifier, Text } from '../vocabulary/text.js';

/** A connected repository. `scanStatusBadge` and `status` are free-form. */
export const RepoRecord = new Closed(
  {
    id: described(Identifier, 'Id of your choice, unique among repos.'),
    owner: described(Text, 'Name of the owner.'),
    repo: described(Text, 'Name of the repository.'),
    defaultBranch: described(Text, 'Name of the default branch.'),
    isDemoRow: described(t.boolean, 'Whether this is a row for demonstration.'),
    scanStatusBadge: described(Text, 'Badge for the status of the scan: any text.'),
    status: described(Text, 'Triage status of the whole repository: any text.'),
  },
  'repo',
);
export type RepoRecord = t.TypeOf<typeof RepoRecord>;
