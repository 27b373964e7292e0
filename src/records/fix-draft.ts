import type * as t from 'io-ts';
import { Closed } from '../vocabulary/closed.js';
import { nullable } from '../vocabulary/nullable.js';
import { FiniteNumber } from '../vocabulary/numbers.js';
import { Identifier, Text } from '../vocabulary/text.js';
import { Timestamp } from '../vocabulary/timestamp.js';
import { FindingStatus, Severity } from '../vocabulary/words.js';

/** The draft of a fix for one affected package of one repository: the record behind a finding. */
export const FixDraftRecord = new Closed(
  {
    id: Identifier,
    repoId: Identifier,
    advisoryId: Text,
    package: Text,
    ecosystem: Text,
    vulnerableRange: Text,
    fixedRange: Text,
    severity: Severity,
    reachability: FiniteNumber,
    exploitSignal: FiniteNumber,
    status: FindingStatus,
    ciStatus: Text,
    discoveredAt: Timestamp,
    updatedAt: Timestamp,
    reconciledAt: nullable(Timestamp),
  },
  'fix draft',
);
export type FixDraftRecord = t.TypeOf<typeof FixDraftRecord>;
