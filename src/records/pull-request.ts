import * as t from 'io-ts';
import { Closed } from '../vocabulary/closed.js';
import { nullable } from '../vocabulary/nullable.js';
import { Identifier, Text } from '../vocabulary/text.js';
import { Timestamp } from '../vocabulary/timestamp.js';

/** A pull request opened for a fix draft. `prState` is free-form and may be null. */
export const PullRequestRecord = new Closed(
  {
    id: Identifier,
    draftId: Identifier,
    fromVersion: Text,
    toVersion: Text,
    branch: Text,
    hasCodemod: t.boolean,
    codemodSummary: Text,
    ciStatus: Text,
    prUrl: Text,
    prState: nullable(Text),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    reconciledAt: nullable(Timestamp),
  },
  'pull request',
);
export type PullRequestRecord = t.TypeOf<typeof PullRequestRecord>;
