import * as t from 'io-ts';
import { described } from '../codecs/described.js';
import { StrictObject } from '../codecs/strict-object.js';
import { Identifier, Text } from '../codecs/text.js';

/** A connected repository. `scanStatusBadge` and `status` are free-form. */
export const RepoRecord = new StrictObject(
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
