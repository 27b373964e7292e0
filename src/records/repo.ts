import * as t from 'io-ts';
import { described, describedAs } from '../contract/codecs/combinators.js';
import { StrictObject } from '../contract/codecs/strict-object.js';
import { Identifier, Text } from '../contract/codecs/text-and-numbers.js';
import { Repo } from '../contract/repo.js';

const repo = Repo.type.props;

/** A connected repository. `scanStatusBadge` and `status` are free-form. */
export const RepoRecord = new StrictObject(
  {
    id: described(Identifier, 'Id of your choice, unique among repos.'),
    owner: describedAs(repo.owner, Text),
    repo: describedAs(repo.repo, Text),
    defaultBranch: describedAs(repo.defaultBranch, Text),
    isDemoRow: describedAs(repo.isDemoRow, t.boolean),
    scanStatusBadge: describedAs(repo.scanStatusBadge, Text, 'Any text.'),
    status: describedAs(repo.status, Text, 'Any text.'),
  },
  'repo',
);
export type RepoRecord = t.TypeOf<typeof RepoRecord>;
