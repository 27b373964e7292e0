import type * as t from 'io-ts';
import { described } from '../codecs/described.js';
import { nullable } from '../codecs/nullable.js';
import { FiniteNumber } from '../codecs/numbers.js';
import { StrictObject } from '../codecs/strict-object.js';
import { Identifier, Text } from '../codecs/text.js';
import { Timestamp } from '../codecs/timestamp.js';
import { FindingStatus, Severity } from '../contract/enums.js';

/** The draft of a fix for one affected package of one repository: the record behind a finding. */
export const FixDraftRecord = new StrictObject(
  {
    id: described(Identifier, 'Id of your choice, unique among fixDrafts. It is the id of the finding.'),
    repoId: described(Identifier, 'Id of one of repos.'),
    advisoryId: described(Text, 'Identifier of the security advisory.'),
    package: described(Text, 'Name of the dependent package.'),
    ecosystem: described(Text, 'Ecosystem that the package belongs to, such as npm.'),
    vulnerableRange: described(Text, 'Versions that are vulnerable, as a range expression.'),
    fixedRange: described(Text, 'Versions that are fixed, as a range expression.'),
    severity: described(Severity, 'How bad the advisory is.'),
    reachability: described(FiniteNumber, 'Score, a fraction: how reachable the vulnerable code is.'),
    exploitSignal: described(FiniteNumber, 'Score, a fraction: how much hints at exploitation.'),
    status: described(FindingStatus, 'Where the finding stands in its life.'),
    ciStatus: described(Text, 'What continuous integration says of the fix: any text.'),
    discoveredAt: described(Timestamp, 'When the finding was made. The latest comes first in lists.'),
    updatedAt: described(Timestamp, 'When the finding last changed.'),
    reconciledAt: described(nullable(Timestamp), 'When the finding was last reconciled; null: not yet.'),
  },
  'fix draft',
);
export type FixDraftRecord = t.TypeOf<typeof FixDraftRecord>;
