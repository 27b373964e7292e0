import * as t from 'io-ts';
import { described } from '../codecs/described.js';
import { nullable } from '../codecs/nullable.js';
import { StrictObject } from '../codecs/strict-object.js';
import { Identifier, Text } from '../codecs/text.js';
import { Timestamp } from '../codecs/timestamp.js';

/** A pull request opened for a fix draft. `prState` is free-form and may be null. */
export const PullRequestRecord = new StrictObject(
  {
    id: described(
      Identifier,
      'Id of your choice, unique among pullRequests. It orders them, and is not shown.',
    ),
    draftId: described(Identifier, 'Id of one of fixDrafts.'),
    fromVersion: described(Text, 'The vulnerable version, as an expression.'),
    toVersion: described(Text, 'The fixed version, as an expression.'),
    branch: described(Text, 'Branch that the pull request was opened from.'),
    hasCodemod: described(t.boolean, 'Whether a codemod is part of it.'),
    codemodSummary: described(Text, 'Excerpt of the code change; it may have line breaks.'),
    ciStatus: described(Text, 'What continuous integration says of it: any text.'),
    prUrl: described(Text, 'URL of the pull request.'),
    prState: described(
      nullable(Text),
      'State: any text or null. "open", "merged", "closed", "cancelled" and null answer to the filter of the API.',
    ),
    createdAt: described(Timestamp, 'When it was created. The latest comes first in lists.'),
    updatedAt: described(Timestamp, 'When it last changed.'),
    reconciledAt: described(nullable(Timestamp), 'When it was last reconciled; null: not yet.'),
  },
  'pull request',
);
export type PullRequestRecord = t.TypeOf<typeof PullRequestRecord>;
