import * as t from 'io-ts';
import { described, describedAs, nullable } from '../contract/codecs/combinators.js';
import { StrictObject } from '../contract/codecs/strict-object.js';
import { Identifier, Text } from '../contract/codecs/text-and-numbers.js';
import { Timestamp } from '../contract/codecs/timestamp.js';
import { Pr } from '../contract/pr.js';

const pr = Pr.type.props;

/** A pull request opened for a fix draft. `prState` is free-form and may be null. */
export const PullRequestRecord = new StrictObject(
  {
    id: described(
      Identifier,
      'Id of your choice, unique among pullRequests. The API orders ties by it, but does not show it.',
    ),
    draftId: described(Identifier, 'Id of an entry of fixDrafts.'),
    fromVersion: describedAs(pr.fromVersion, Text),
    toVersion: describedAs(pr.toVersion, Text),
    branch: describedAs(pr.branch, Text),
    hasCodemod: describedAs(pr.hasCodemod, t.boolean),
    codemodSummary: describedAs(pr.codemodSummary, Text),
    ciStatus: describedAs(pr.ciStatus, Text, 'Any text.'),
    prUrl: describedAs(pr.prUrl, Text),
    prState: described(
      nullable(Text),
      'State: any text or null. The API\'s filter matches "open", "merged", "closed", "cancelled" and null.',
    ),
    createdAt: describedAs(pr.createdAt, Timestamp, 'Lists show the latest first.'),
    updatedAt: describedAs(pr.updatedAt, Timestamp),
    reconciledAt: describedAs(pr.reconciledAt, nullable(Timestamp)),
  },
  'pull request',
);
export type PullRequestRecord = t.TypeOf<typeof PullRequestRecord>;
